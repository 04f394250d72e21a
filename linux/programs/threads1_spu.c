/* The SPE side of threads1.c. */
#include "spe.h"
#include "threads1.h"

int main(unsigned long long speid, unsigned long long what)
{
    (void)speid;
    if (what == STOPS)
        spu_stop(STOP);
    if (what == WAITS)
        spu_read_in_mbox();
    if (what == TALKS) {
        unsigned int sum = spu_read_in_mbox() + spu_read_signal1();

        spu_write_out_intr_mbox(sum);
        spu_write_out_mbox(sum + 1);
        spu_read_in_mbox();
    }
    if (what == HALTS)
        spu_hcmpeq((int)what, HALTS);
    if (what == MISALIGNED)
        put_and_wait((char *)FREE_AT + 1, 0x10000000, 16);
    return EXIT;
}
