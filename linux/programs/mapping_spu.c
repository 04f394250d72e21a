/* The SPE side of mapping.c. */
#include "mapping.h"
#include "spe.h"

static struct mapping_job job;

static void talk(volatile unsigned int *block)
{
    unsigned int n, sum = 0;

    for (n = 0; n < BLOCK_BYTES / 4; n++)
        block[n] = n;
    spu_write_out_mbox(HELLO);
    for (n = 0; n < 8; n++)
        sum += spu_read_in_mbox();
    spu_write_out_mbox(sum);
    spu_write_out_mbox(spu_read_signal2());
    spu_read_in_mbox();
}

int main(unsigned long long speid, unsigned long long argp, unsigned long long only_wait)
{
    volatile unsigned int *block = (volatile unsigned int *)BLOCK_AT;
    unsigned int n;

    (void)speid;
    if (only_wait) {
        spu_read_in_mbox();
        return 0;
    }
    get_and_wait(&job, argp, sizeof job);
    if (job.kind == DOUBLE)
        for (n = 0; n < BLOCK_BYTES / 4; n++)
            block[n] *= 2;
    else if (job.kind == SEND)
        put_and_wait(block, job.ea, BLOCK_BYTES);
    else
        talk(block);
    return 0;
}
