/* Four times as many contexts as there are SPEs, all running at once.
 *
 *     cellstats run linux/programs/many.elf
 *
 * The kernel time-shares the SPEs. A waiting context yields its SPE, and the kernel saves the context's local
 * store and registers. A computing context loses its SPE at the end of its time slice. Each context computes,
 * exchanges messages with the PPE, and sends its result.
 *
 * Exit status: 0 if all results are right, 1 if not.
 */
#include "threads.h"

#define TIMES_AS_MANY 4
#define CONTEXTS_MAX (TIMES_AS_MANY * SPE_THREADS_MAX)

extern spe_program_handle_t many_spu;

/* The sequence that the SPE computes from a seed. */
static unsigned int expected(unsigned int seed)
{
    unsigned int n;

    for (n = 0; n < 1000; n++)
        seed = seed * 1664525u + 1013904223u;
    return seed;
}

int main(void)
{
    static struct spe_thread threads[CONTEXTS_MAX];
    int contexts = TIMES_AS_MANY * spe_cpu_info_get(SPE_COUNT_USABLE_SPES, -1), n, right = 0;

    CHECK(contexts > 0 && contexts <= CONTEXTS_MAX);
    for (n = 0; n < contexts; n++)
        start_spe(&threads[n], &many_spu, 0, (void *)(long)n, NULL);
    for (n = 0; n < contexts; n++) {
        unsigned int seed = 17 * n, answer;

        /* Starts with the last context, while contexts that wait for later messages occupy the SPEs. */
        CHECK(spe_in_mbox_write(threads[contexts - 1 - n].spe, &seed, 1, SPE_MBOX_ALL_BLOCKING) == 1);
        CHECK(spe_out_intr_mbox_read(threads[contexts - 1 - n].spe, &answer, 1, SPE_MBOX_ALL_BLOCKING) == 1);
        right += answer == expected(seed);
    }
    for (n = 0; n < contexts; n++)
        CHECK(exit_status(&threads[n]) == (n & 0xff));
    printf("%d contexts, %d right\n", contexts, right);
    return right == contexts ? 0 : 1;
}
