/* A counter that all SPEs and the PPE increment, each with its own atomic operations.
 *
 *     cellstats run linux/programs/counter.elf [TIMES]
 *
 * The SPEs get the counter's line with a reservation and put it conditionally (getllar, putllc). The PPE loads and
 * stores the word in the same manner (lwarx, stwcx.). Each SPE and the PPE increment TIMES times (1000 by default).
 *
 * Exit status: 0 if no increment was lost, 1 if any was.
 */
#include "threads.h"

extern spe_program_handle_t counter_spu;

int main(int argc, char **argv)
{
    unsigned int *counter = lines(LINE_BYTES), times = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000, n;
    int spes = spe_cpu_info_get(SPE_COUNT_USABLE_SPES, -1), rank;
    struct spe_thread threads[SPE_THREADS_MAX];

    CHECK(spes > 0 && spes <= SPE_THREADS_MAX);
    for (rank = 0; rank < spes; rank++)
        start_spe(&threads[rank], &counter_spu, 0, counter, (void *)(long)times);
    for (n = 0; n < times; n++)
        __sync_fetch_and_add(counter, 1);
    for (rank = 0; rank < spes; rank++)
        CHECK(exit_status(&threads[rank]) == 0);
    printf("%u increments by %d SPEs and the PPE\n", *counter, spes);
    return *counter == times * (spes + 1) ? 0 : 1;
}
