/* Says hello from every SPE.
 *
 *     cellstats run linux/programs/hello.elf
 *
 * Each SPE prints a line with its rank and the number of SPEs. The PPE counts the SPEs that exited with
 * their rank as status.
 *
 * Exit status: 0 if all SPEs exited with their rank, 1 if not.
 */
#include "threads.h"

extern spe_program_handle_t hello_spu;

int main(void)
{
    int spes = spe_cpu_info_get(SPE_COUNT_USABLE_SPES, -1), rank, right = 0;
    struct spe_thread threads[SPE_THREADS_MAX];

    CHECK(spes > 0 && spes <= SPE_THREADS_MAX);
    for (rank = 0; rank < spes; rank++)
        start_spe(&threads[rank], &hello_spu, 0, (void *)(long)rank, (void *)(long)spes);
    for (rank = 0; rank < spes; rank++)
        right += exit_status(&threads[rank]) == rank;
    printf("hello from the PPE, and from %d SPEs\n", right);
    return right == spes ? 0 : 1;
}
