/* FUNCTIONs fetchadd to fetchset: one atomic operation after the other. */
#include "atomic.h"
#include "tasks.h"

void modify(const struct control_block *block, uint32_t iterations)
{
    uint64_t ea = block->ea;

    switch (block->function) {
    case FETCHADD:
        for (; iterations > 0; iterations--)
            atomic_add_return(ea, 1);
        break;
    case FETCHSUB:
        for (; iterations > 0; iterations--)
            atomic_sub_return(ea, 1);
        break;
    case FETCHINC:
        for (; iterations > 0; iterations--)
            atomic_inc_return(ea);
        break;
    case FETCHDEC:
        for (; iterations > 0; iterations--)
            atomic_dec_return(ea);
        break;
    default:
        for (; iterations > 0; iterations--)
            atomic_set_return(ea, READY);
    }
}
