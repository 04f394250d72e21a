/* Integers of 64 bits in <simdmath.h>. */
#include <simdmath.h>

llroundf4_t llroundf4(vec_float4 x)
{
    return _llroundf4(x);
}

llroundf4_t llrintf4(vec_float4 x)
{
    return _llrintf4(x);
}
