/* The SPE side of hello.c: prints a line, and exits with its rank. */
#include <stdio.h>

int main(unsigned long long speid, unsigned long long rank, unsigned long long spes)
{
    (void)speid;
    printf("hello from SPE %d of %d\n", (int)rank, (int)spes);
    return (int)rank;
}
