/* The PPE's program ends while its SPEs run for ever: one computes, one waits for a message.
 *
 *     cellstats run linux/programs/leaves.elf
 *
 * The end of the process also ends its SPEs, regardless of what they do.
 *
 * Exit status: 0.
 */
#include "threads.h"

extern spe_program_handle_t leaves_spu;

int main(void)
{
    static struct spe_thread threads[2];
    unsigned int there;
    long n;

    for (n = 0; n < 2; n++)
        start_spe(&threads[n], &leaves_spu, 0, (void *)n, NULL);
    for (n = 0; n < 2; n++)
        CHECK(spe_out_intr_mbox_read(threads[n].spe, &there, 1, SPE_MBOX_ALL_BLOCKING) == 1);
    puts("the PPE ends, and its SPEs with it");
    return 0;
}
