/* The SPE side of counter.c. */
#include "spe.h"

static unsigned int one_more(unsigned int word)
{
    return word + 1;
}

int main(unsigned long long speid, unsigned long long counter, unsigned long long times)
{
    unsigned int n;

    (void)speid;
    for (n = 0; n < times; n++)
        update(counter, one_more);
    return 0;
}
