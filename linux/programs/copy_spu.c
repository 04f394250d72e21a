/* The SPE side of copy.c: two buffers. A fence makes the get into a buffer wait for the put from the same buffer. */
#include "copy.h"
#include "spe.h"

#define PIECE_BYTES 16384

static struct copy_job job __attribute__((aligned(16)));
static char buffers[2][PIECE_BYTES] __attribute__((aligned(128)));

int main(unsigned long long speid, unsigned long long argp)
{
    unsigned int pieces, n;

    (void)speid;
    get_and_wait(&job, argp, sizeof job);
    pieces = job.bytes / PIECE_BYTES;
    mfc_get(buffers[0], job.from, PIECE_BYTES, 0, 0, 0);
    for (n = 0; n < pieces; n++) {
        unsigned int this = n % 2, other = 1 - this;

        /* The fence delays the next fill of the buffer until the buffer has been stored. */
        if (n + 1 < pieces)
            mfc_getf(buffers[other], job.from + (n + 1) * PIECE_BYTES, PIECE_BYTES, other, 0, 0);
        wait_for_tag(this);
        mfc_put(buffers[this], job.to + n * PIECE_BYTES, PIECE_BYTES, this, 0, 0);
    }
    mfc_write_tag_mask(3);
    mfc_read_tag_status_all();
    return 0;
}
