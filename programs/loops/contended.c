/* Six SPEs and the PPE compete for a cache line or for the memory.
 *
 *     cellstats run programs/loops/contended.elf LOOP [ITERATIONS [PPE THREADS]]
 *
 * Prints the loop, the iterations, and their duration in time-base ticks. LOOP is
 *
 *     increment   each SPE and each PPE thread increments one shared word
 *     chain       the SPEs and the PPE change one word in a cyclic order, by compare and swap
 *     putllc      all SPEs write the same line, by getllar and putllc
 *     putlluc     all SPEs write the same line, by putlluc
 *     put         each SPE puts 32 bytes to a line of its own, and waits
 *     shared-put  each SPE puts 32 bytes to the same line, and does not wait
 *     large-put   each SPE puts 16 KB to a block of its own, and waits
 *     shared-large-put    each SPE puts 16 KB to the same block, and does not wait
 *
 * A public test gives times of the same loops on a PlayStation 3 (papers/sputest2021/claims.toml).
 *
 * Exit status: 0, 1 if an increment was lost, or 2 if the arguments are wrong.
 */
#include "../../linux/programs/threads.h"

#include <unistd.h>

#include "contended.h"

#define PPE_THREADS_MAX 2

extern spe_program_handle_t contended_spu;

static const char *const names[LOOPS] = {
    "increment", "chain", "putllc", "putlluc", "put", "shared-put", "large-put", "shared-large-put",
};
static volatile struct contended *shared;

static void *increments(void *unused)
{
    unsigned int n;

    (void)unused;
    __sync_fetch_and_add(&shared->ready[0], 1);
    while (!shared->start[0])
        ;
    for (n = 0; n < shared->iterations; n++)
        __sync_fetch_and_add(&shared->word[0], 1);
    return NULL;
}

int main(int argc, char **argv)
{
    struct spe_thread threads[SPES];
    pthread_t others[PPE_THREADS_MAX];
    unsigned int ppe_threads = argc > 3 ? atoi(argv[3]) : 0, loop = 0, n;
    int iterations = argc > 2 ? atoi(argv[2]) : 1000;
    unsigned long long begun, ticks;

    while (argc > 1 && loop < LOOPS && strcmp(argv[1], names[loop]))
        loop++;
    if (argc < 2 || loop == LOOPS || iterations < 1 || ppe_threads > PPE_THREADS_MAX) {
        fprintf(stderr, "contended: give increment, chain, putllc, putlluc, put, shared-put, large-put or "
                        "shared-large-put, then a number of iterations from 1, and for increment up to 2 PPE "
                        "threads\n");
        return 2;
    }
    shared = lines(sizeof *shared);
    shared->loop = loop;
    shared->iterations = iterations;
    if (loop != INCREMENT)
        ppe_threads = 0;
    for (n = 0; n < SPES; n++)
        start_spe(&threads[n], &contended_spu, 0, (void *)shared, (void *)(long)n);
    for (n = 0; n < ppe_threads; n++)
        CHECK(pthread_create(&others[n], NULL, increments, NULL) == 0);
    while (shared->ready[0] != SPES + ppe_threads)
        usleep(100);

    shared->start[0] = 1;
    __sync_synchronize();
    begun = __builtin_ppc_get_timebase();
    for (n = 0; loop == CHAIN && n < shared->iterations; n++)
        while (__sync_val_compare_and_swap(&shared->word[0], SPES, 0) != SPES)
            ;
    for (n = 0; n < ppe_threads; n++)
        CHECK(pthread_join(others[n], NULL) == 0);
    ticks = loop == CHAIN || ppe_threads ? __builtin_ppc_get_timebase() - begun : 0;
    for (n = 0; n < SPES; n++)
        CHECK(exit_status(&threads[n]) == 0);
    for (n = 0; n < SPES; n++)
        if (shared->ticks[n][0] > ticks)
            ticks = shared->ticks[n][0];
    CHECK(loop != INCREMENT || shared->word[0] == (SPES + ppe_threads) * shared->iterations);
    printf("%s %u %llu\n", names[loop], shared->iterations, ticks);
    return 0;
}
