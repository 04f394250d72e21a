/* CellStats, the SPE side of the Linux program. The program does the same as ../../main.c, with the same protocol.
 *
 * There are two differences. An SPE that only holds a buffer keeps running until the PPE releases it, because
 * Linux may give the local store of an ended program to another program. Each list DMA uses a new list (lists.c).
 */
#include "../../tasks.h"
#include "lists.h"

static struct control_block block __attribute__((aligned(128)));

static void task(uint32_t iterations, uint32_t tag)
{
    if (block.role == PPE_RESPONDER)
        answer_ppe(&block, iterations);
    else if (block.function == MAILBOX || block.function == SIGNAL)
        synchronise(&block, iterations, tag);
    else if (block.function >= FETCHADD)
        modify(&block, iterations);
    else if (block.list_elements > 0)
        transfer_lists(&block, iterations, tag);
    else
        transfer(&block, iterations, tag);
}

int main(uint64_t speid, uint64_t control_ea, uint64_t envp)
{
    (void)speid;
    (void)envp;
    /* mkthread measures the creation of threads without work. */
    if (control_ea == 0)
        return 0;
    mfc_get(&block, control_ea, sizeof block, TAG, 0, 0);
    wait_for(TAG);
    spu_write_out_mbox(READY);
    spu_read_in_mbox();
    if (block.role == HOLDER) {
        spu_read_in_mbox();
        return 0;
    }
    task(block.warm_up, TAG);
    spu_write_decrementer(UINT32_MAX);
    task(block.iterations, MEASURED_TAG);
    spu_write_out_mbox(UINT32_MAX - spu_read_decrementer());
    return 0;
}
