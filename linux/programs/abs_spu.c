/* The SPE side of abs.c: clears the signs of four numbers at a time. */
#include <spu_intrinsics.h>

#include "abs.h"
#include "spe.h"

static struct abs_job job __attribute__((aligned(16)));
static vector unsigned int numbers[NUMBERS / 4];

int main(unsigned long long speid, unsigned long long argp)
{
    int n;

    (void)speid;
    get_and_wait(&job, argp, sizeof job);
    get_and_wait(numbers, job.from, sizeof numbers);
    for (n = 0; n < NUMBERS / 4; n++)
        numbers[n] = spu_and(numbers[n], spu_splats(0x7fffffffu));
    put_and_wait(numbers, job.to, sizeof numbers);
    return 0;
}
