/* Signs, rounding and the parts of a number in <simdmath.h>. */
#include <simdmath.h>
#include <simdmath/_numbers.h>

vec_float4 fabsf4(vec_float4 x)
{
    return _fabsf4(x);
}

vec_float4 negatef4(vec_float4 x)
{
    return _negatef4(x);
}

vec_float4 copysignf4(vec_float4 x, vec_float4 y)
{
    return _copysignf4(x, y);
}

vec_float4 floorf4(vec_float4 x)
{
    return _floorf4(x);
}

vec_float4 ceilf4(vec_float4 x)
{
    return _ceilf4(x);
}

vec_float4 truncf4(vec_float4 x)
{
    return _truncf4(x);
}

vec_float4 roundf4(vec_float4 x)
{
    return _roundf4(x);
}

vec_float4 rintf4(vec_float4 x)
{
    return _rintf4(x);
}

vec_float4 nearbyintf4(vec_float4 x)
{
    return _nearbyintf4(x);
}

vec_int4 iroundf4(vec_float4 x)
{
    return _iroundf4(x);
}

vec_int4 irintf4(vec_float4 x)
{
    return _irintf4(x);
}

vec_float4 modff4(vec_float4 x, vec_float4 *integer)
{
    return _modff4(x, integer);
}

vec_float4 frexpf4(vec_float4 x, vec_int4 *exponent)
{
    return _frexpf4(x, exponent);
}

vec_float4 ldexpf4(vec_float4 x, vec_int4 n)
{
    return _ldexpf4(x, n);
}

vec_float4 scalbnf4(vec_float4 x, vec_int4 n)
{
    return _scalbnf4(x, n);
}

vec_int4 ilogbf4(vec_float4 x)
{
    return _ilogbf4(x);
}

vec_float4 logbf4(vec_float4 x)
{
    return _logbf4(x);
}
