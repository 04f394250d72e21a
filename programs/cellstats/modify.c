/* FUNCTIONs fetchadd to fetchset: one atomic operation after the other. */
#include "atomic.h"
#include "tasks.h"

void modify(const struct control_block *block, uint32_t iterations)
{
    uint64_t ea = block->ea;

    switch (block->function) {
    case FETCHADD:
        while (iterations-- > 0)
            atomic_add_return(ea, 1);
        break;
    case FETCHSUB:
        while (iterations-- > 0)
            atomic_sub_return(ea, 1);
        break;
    case FETCHINC:
        while (iterations-- > 0)
            atomic_inc_return(ea);
        break;
    case FETCHDEC:
        while (iterations-- > 0)
            atomic_dec_return(ea);
        break;
    default:
        while (iterations-- > 0)
            atomic_set_return(ea, READY);
    }
}
