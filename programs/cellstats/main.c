/* CellStats, the SPE side: one program for every FUNCTION of abellan2008ps3 (section 3).
 *
 * The program does the same as crates/cellstats/src/spe.rs, with the same protocol to the PPE: fetch the
 * control block, report by mailbox, wait for the go-ahead, warm up, loop, and mail the ticks that the
 * decrementer counted. Traffic patterns, and loads and stores of the local store, are left out.
 */
#include "tasks.h"

static struct control_block block __attribute__((aligned(128)));

static void task(uint32_t iterations, uint32_t tag)
{
    if (block.role == PPE_RESPONDER)
        answer_ppe(&block, iterations);
    else if (block.function == MAILBOX || block.function == SIGNAL)
        synchronise(&block, iterations, tag);
    else if (block.function >= FETCHADD)
        modify(&block, iterations);
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
    build_list(&block);
    spu_write_out_mbox(READY);
    spu_read_in_mbox();
    if (block.role == HOLDER) {
        spu_write_out_mbox(0);
        return 0;
    }
    task(block.warm_up, TAG);
    spu_write_decrementer(UINT32_MAX);
    task(block.iterations, MEASURED_TAG);
    spu_write_out_mbox(UINT32_MAX - spu_read_decrementer());
    return 0;
}
