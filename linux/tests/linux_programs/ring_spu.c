/* Waits for a signal of the context before, and then signals the next context. One of them signals first. */
#include <spu_mfcio.h>

#include "contexts.h"

static struct job job __attribute__((aligned(128)));
static unsigned int word[4] __attribute__((aligned(16)));

__attribute__((noinline)) static void wait_for_a_signal(void)
{
    spu_read_signal1();
}

static void signal_next(void)
{
    word[3] = 1;
    mfc_put(&word[3], job.next, 4, 0, 0, 0);
    mfc_read_tag_status_all();
}

int main(unsigned long long speid, unsigned long long argp)
{
    (void)speid;
    mfc_get(&job, argp, sizeof job, 0, 0, 0);
    mfc_write_tag_mask(1);
    mfc_read_tag_status_all();
    if (job.begins)
        signal_next();
    wait_for_a_signal();
    if (!job.begins)
        signal_next();
    return 0;
}
