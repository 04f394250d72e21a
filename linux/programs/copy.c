/* Copies 16 MiB from main memory to main memory, with all SPEs, each through two buffers.
 *
 *     cellstats run linux/programs/copy.elf
 *
 * Each SPE copies its own part. An SPE fills one buffer while it stores the other buffer. At the end, the
 * PPE compares the source with the copy, byte by byte.
 *
 * Exit status: 0 if source and copy are the same, 1 if not.
 */
#include "threads.h"

#include "copy.h"

#define BYTES (16u << 20)
#define PIECE_BYTES 16384u

extern spe_program_handle_t copy_spu;

int main(void)
{
    unsigned int *from = untouched_lines(BYTES), *to = untouched_lines(BYTES), n, first = 0;
    int spes = spe_cpu_info_get(SPE_COUNT_USABLE_SPES, -1), rank;
    struct copy_job *jobs = lines(SPE_THREADS_MAX * sizeof *jobs);
    struct spe_thread threads[SPE_THREADS_MAX];

    CHECK(spes > 0 && spes <= SPE_THREADS_MAX);
    for (n = 0; n < BYTES / 4; n++)
        from[n] = n * 2654435761u;
    for (rank = 0; rank < spes; rank++) {
        unsigned int end = BYTES / PIECE_BYTES * (rank + 1) / spes * PIECE_BYTES;

        jobs[rank].from = (unsigned long)from + first;
        jobs[rank].to = (unsigned long)to + first;
        jobs[rank].bytes = end - first;
        first = end;
        start_spe(&threads[rank], &copy_spu, 0, &jobs[rank], NULL);
    }
    for (rank = 0; rank < spes; rank++)
        CHECK(exit_status(&threads[rank]) == 0);
    CHECK(memcmp(from, to, BYTES) == 0);
    printf("%u bytes copied by %d SPEs\n", BYTES, spes);
    return 0;
}
