/* Angles, in radians in <simdmath.h>. */
#include <simdmath.h>
#include <simdmath/_angles.h>

vec_float4 sinf4(vec_float4 x)
{
    return _sinf4(x);
}

vec_float4 cosf4(vec_float4 x)
{
    return _cosf4(x);
}

vec_float4 tanf4(vec_float4 x)
{
    return _tanf4(x);
}

void sincosf4(vec_float4 x, vec_float4 *sine, vec_float4 *cosine)
{
    _sincosf4(x, sine, cosine);
}

vec_float4 asinf4(vec_float4 x)
{
    return _asinf4(x);
}

vec_float4 acosf4(vec_float4 x)
{
    return _acosf4(x);
}

vec_float4 atanf4(vec_float4 x)
{
    return _atanf4(x);
}

vec_float4 atan2f4(vec_float4 y, vec_float4 x)
{
    return _atan2f4(y, x);
}
