/* Arithmetic in <simdmath.h>. */
#include <simdmath.h>
#include <simdmath/_arithmetic.h>

vec_float4 fmaf4(vec_float4 x, vec_float4 y, vec_float4 z)
{
    return _fmaf4(x, y, z);
}

vec_float4 fmaxf4(vec_float4 x, vec_float4 y)
{
    return _fmaxf4(x, y);
}

vec_float4 fminf4(vec_float4 x, vec_float4 y)
{
    return _fminf4(x, y);
}

vec_float4 fdimf4(vec_float4 x, vec_float4 y)
{
    return _fdimf4(x, y);
}

vec_float4 divf4(vec_float4 x, vec_float4 y)
{
    return _divf4(x, y);
}

vec_float4 recipf4(vec_float4 x)
{
    return _recipf4(x);
}

vec_float4 fmodf4(vec_float4 x, vec_float4 y)
{
    return _fmodf4(x, y);
}

vec_float4 sqrtf4(vec_float4 x)
{
    return _sqrtf4(x);
}

vec_float4 rsqrtf4(vec_float4 x)
{
    return _rsqrtf4(x);
}

vec_float4 hypotf4(vec_float4 x, vec_float4 y)
{
    return _hypotf4(x, y);
}
