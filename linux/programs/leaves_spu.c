/* The SPE side of leaves.c: never ends. */
#include <spu_mfcio.h>

int main(unsigned long long speid, unsigned long long waits)
{
    (void)speid;
    spu_write_out_intr_mbox(1);
    if (waits)
        spu_read_in_mbox();
    for (;;)
        __asm__ volatile("");
}
