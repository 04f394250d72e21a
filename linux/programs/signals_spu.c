/* The SPE side of signals.c. */
#include "signals.h"
#include "spe.h"

static struct signals_job job;
/* The source word of a signal must have the same offset within its quadword as the register. */
static volatile unsigned int token[4] __attribute__((aligned(16)));

static void send_token(unsigned int value)
{
    token[3] = value;
    mfc_sndsig(&token[3], job.next, TAG, 0, 0);
    wait_for_tag(TAG);
}

static void report(void)
{
    spu_write_out_intr_mbox(spu_read_signal1());
    spu_write_out_intr_mbox(spu_read_signal2());
    spu_write_out_intr_mbox(spu_read_signal2());
}

int main(unsigned long long speid, unsigned long long argp)
{
    unsigned int round, last = 0;

    (void)speid;
    get_and_wait(&job, argp, sizeof job);
    if (job.kind == REPORT) {
        report();
        return 0;
    }
    if (job.kind == FIRST_OF_RING)
        send_token(2);
    for (round = 0; round < job.rounds; round++) {
        last = spu_read_signal1();
        if (job.kind == RING || round + 1 < job.rounds)
            send_token(last + 1);
    }
    if (job.kind == FIRST_OF_RING)
        spu_write_out_intr_mbox(last);
    return 0;
}
