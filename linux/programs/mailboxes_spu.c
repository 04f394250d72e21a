/* The SPE side of mailboxes.c: adds the incoming messages, and sends squares. */
#include "mailboxes.h"
#include "spe.h"

static unsigned int sum_of(unsigned int count)
{
    unsigned int sum = 0, n;

    for (n = 0; n < count; n++)
        sum += spu_read_in_mbox();
    return sum;
}

int main(void)
{
    unsigned int n;

    spu_write_out_mbox(sum_of(EARLY));
    spu_write_out_intr_mbox(sum_of(MANY));
    for (n = 0; n < MANY; n++)
        spu_write_out_intr_mbox(n * n);
    return EXIT;
}
