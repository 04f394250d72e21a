/* Absolute values of 4096 numbers. One SPE computes them, and fetches and stores the numbers by DMA.
 *
 *     cellstats run linux/programs/abs.elf
 *
 * The PPE passes the address of a job in main memory. The SPE fetches the job, then the numbers, and stores
 * the results.
 *
 * Exit status: 0 if every result is right, otherwise 1, with a line that names the wrong result.
 */
#include "threads.h"

#include "abs.h"

extern spe_program_handle_t abs_spu;

int main(void)
{
    float *from = lines(NUMBERS * sizeof *from), *to = lines(NUMBERS * sizeof *to);
    struct abs_job *job = lines(sizeof *job);
    struct spe_thread thread;
    int n;

    for (n = 0; n < NUMBERS; n++)
        from[n] = (n % 2 ? 0.25f : -0.25f) * n;
    job->from = (unsigned long)from;
    job->to = (unsigned long)to;
    start_spe(&thread, &abs_spu, 0, job, NULL);
    CHECK(exit_status(&thread) == 0);
    for (n = 0; n < NUMBERS; n++)
        CHECK(to[n] == 0.25f * n);
    printf("%d absolute values\n", NUMBERS);
    return 0;
}
