/* Prints one line from every SPE.
 *
 *     cellstats spu programs/samples/hello.elf -n 2
 *
 * `cellstats spu` passes an SPE its rank as argp, and the number of SPEs as envp.
 */
#include <stdint.h>
#include <stdio.h>

int main(uint64_t speid, uint64_t rank, uint64_t spes)
{
    (void)speid;
    printf("hello from SPE %d of %d\n", (int)rank, (int)spes);
    return 0;
}
