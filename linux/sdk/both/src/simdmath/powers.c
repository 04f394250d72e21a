/* Powers and logarithms in <simdmath.h>. */
#include <simdmath.h>
#include <simdmath/_powers.h>

vec_float4 expf4(vec_float4 x)
{
    return _expf4(x);
}

vec_float4 exp2f4(vec_float4 x)
{
    return _exp2f4(x);
}

vec_float4 expm1f4(vec_float4 x)
{
    return _expm1f4(x);
}

vec_float4 logf4(vec_float4 x)
{
    return _logf4(x);
}

vec_float4 log2f4(vec_float4 x)
{
    return _log2f4(x);
}

vec_float4 log10f4(vec_float4 x)
{
    return _log10f4(x);
}

vec_float4 log1pf4(vec_float4 x)
{
    return _log1pf4(x);
}

vec_float4 powf4(vec_float4 x, vec_float4 y)
{
    return _powf4(x, y);
}

vec_float4 sinhf4(vec_float4 x)
{
    return _sinhf4(x);
}

vec_float4 coshf4(vec_float4 x)
{
    return _coshf4(x);
}

vec_float4 tanhf4(vec_float4 x)
{
    return _tanhf4(x);
}

vec_float4 cbrtf4(vec_float4 x)
{
    return _cbrtf4(x);
}
