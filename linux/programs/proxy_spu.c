/* The SPE side of proxy.c: reports its buffer's address, and adds 1 to all words on request. */
#include "proxy.h"
#include "spe.h"

static volatile vector unsigned int buffer[PIECES * PIECE_BYTES / 16] __attribute__((aligned(128)));

int main(void)
{
    unsigned int n;

    spu_write_out_intr_mbox((unsigned int)buffer);
    while (spu_read_in_mbox()) {
        for (n = 0; n < PIECES * PIECE_BYTES / 16; n++)
            buffer[n] = spu_add(buffer[n], spu_splats(1u));
        spu_write_out_intr_mbox(1);
    }
    return 0;
}
