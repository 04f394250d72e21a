/* The SPE side of many.c. */
#include "spe.h"

int main(unsigned long long speid, unsigned long long number)
{
    unsigned int seed, n;

    (void)speid;
    seed = spu_read_in_mbox();
    for (n = 0; n < 1000; n++)
        seed = seed * 1664525u + 1013904223u;
    spu_write_out_intr_mbox(seed);
    return number & 0xff;
}
