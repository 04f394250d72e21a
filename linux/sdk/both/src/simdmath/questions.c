/* Questions in <simdmath.h>. */
#include <simdmath.h>
#include <simdmath/_questions.h>

vec_uint4 signbitf4(vec_float4 x)
{
    return _signbitf4(x);
}

vec_uint4 isnanf4(vec_float4 x)
{
    return _isnanf4(x);
}

vec_uint4 isinff4(vec_float4 x)
{
    return _isinff4(x);
}

vec_uint4 isfinitef4(vec_float4 x)
{
    return _isfinitef4(x);
}

vec_uint4 isnormalf4(vec_float4 x)
{
    return _isnormalf4(x);
}

vec_uint4 is0denormf4(vec_float4 x)
{
    return _is0denormf4(x);
}

vec_uint4 isequalf4(vec_float4 x, vec_float4 y)
{
    return _isequalf4(x, y);
}

vec_uint4 isgreaterf4(vec_float4 x, vec_float4 y)
{
    return _isgreaterf4(x, y);
}

vec_uint4 isgreaterequalf4(vec_float4 x, vec_float4 y)
{
    return _isgreaterequalf4(x, y);
}

vec_uint4 islessf4(vec_float4 x, vec_float4 y)
{
    return _islessf4(x, y);
}

vec_uint4 islessequalf4(vec_float4 x, vec_float4 y)
{
    return _islessequalf4(x, y);
}
