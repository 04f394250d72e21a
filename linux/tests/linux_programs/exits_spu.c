/* Exits with its number. */
#include <spu_mfcio.h>

#include "contexts.h"

static struct job job __attribute__((aligned(128)));

int main(unsigned long long speid, unsigned long long argp)
{
    (void)speid;
    mfc_get(&job, argp, sizeof job, 0, 0, 0);
    mfc_write_tag_mask(1);
    mfc_read_tag_status_all();
    return job.number;
}
