/* Less accurate arithmetic in <simdmath.h>. */
#include <simdmath.h>
#include <simdmath/_fast.h>

vec_float4 divf4_fast(vec_float4 x, vec_float4 y)
{
    return _divf4_fast(x, y);
}

vec_float4 recipf4_fast(vec_float4 x)
{
    return _recipf4_fast(x);
}

vec_float4 sqrtf4_fast(vec_float4 x)
{
    return _sqrtf4_fast(x);
}

vec_float4 rsqrtf4_fast(vec_float4 x)
{
    return _rsqrtf4_fast(x);
}
