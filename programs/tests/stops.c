/* Stops with user-defined codes, for tests. The PPE gives the program a number at each stop and lets it continue. */
#include <spu_intrinsics.h>
#include <stdint.h>

volatile uint32_t given, doubled;

int main(void)
{
    spu_stop(0x1111);
    doubled = 2 * given;
    spu_stop(0x1112);
    return doubled + 1;
}
