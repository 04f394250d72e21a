/* Stops with codes of its own, for tests: the PPE lets it go on behind each, and meanwhile gives it a number. */
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
