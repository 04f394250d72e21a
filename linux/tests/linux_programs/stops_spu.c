/* Stops in a function of its own, with a type that no library uses. */
#include <spu_intrinsics.h>

__attribute__((noinline)) static void stop_here(void)
{
    spu_stop(0x1234);
}

int main(void)
{
    stop_here();
    return 0;
}
