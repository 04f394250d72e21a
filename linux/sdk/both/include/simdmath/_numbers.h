/* Signs, rounding and the parts of a number, inline. */
#ifndef CELLSTATS_SIMDMATH_NUMBERS_H
#define CELLSTATS_SIMDMATH_NUMBERS_H

#include <simdmath/_vector.h>

/* truncf4: the integer next to `x` towards zero. Numbers from 2^23 have no fraction. */
static inline vec_float4 _truncf4(vec_float4 x)
{
    vec_uint4 has_fraction = _sm_greater(_SM_FLOAT(8388608.0f), _sm_magnitude(x));

    return _sm_with_sign(_sm_select(x, _sm_float(_sm_truncated(x)), has_fraction), x);
}

/* ceilf4: the smallest integer that is not smaller than `x`. */
static inline vec_float4 _ceilf4(vec_float4 x)
{
    vec_float4 integer = _truncf4(x);

    return _sm_with_sign(_sm_select(integer, integer + _SM_FLOAT(1.0f), _sm_greater(x, integer)), x);
}

/* copysignf4: the magnitude of `x` with the sign of `y`. */
static inline vec_float4 _copysignf4(vec_float4 x, vec_float4 y)
{
    return _sm_with_sign(x, y);
}

/* fabsf4: magnitude. */
static inline vec_float4 _fabsf4(vec_float4 x)
{
    return _sm_magnitude(x);
}

/* floorf4: the greatest integer that is not greater than `x`. */
static inline vec_float4 _floorf4(vec_float4 x)
{
    vec_float4 integer = _truncf4(x);

    return _sm_select(integer, integer - _SM_FLOAT(1.0f), _sm_greater(integer, x));
}

/* frexpf4: returns a fraction of `x` with 1/2 <= |fraction| < 1, and stores n in `*exponent` so that x =
 * fraction 2^n. Zero gives 0 and 0. */
static inline vec_float4 _frexpf4(vec_float4 x, vec_int4 *exponent)
{
    vec_int4 biased = (vec_int4)((vec_uint4)_sm_magnitude(x) >> _SM_UINT(23));
    vec_uint4 is_kept = _sm_equal(biased, _SM_INT(0));
    vec_float4 fraction = (vec_float4)(((vec_uint4)x & _SM_UINT(0x807fffffu)) | _SM_UINT(0x3f000000u));

#ifndef __SPU__
    /* Infinities and NaNs stay as they are. */
    is_kept |= _sm_equal(biased, _SM_INT(255));
#endif
    *exponent = (vec_int4)((vec_uint4)(biased - _SM_INT(126)) & ~is_kept);
    return _sm_select(fraction, x, is_kept);
}

/* ilogbf4: the exponent of `x`, so that 1 <= |x| 2^-n < 2. Zero gives the most negative integer. */
static inline vec_int4 _ilogbf4(vec_float4 x)
{
    vec_int4 biased = (vec_int4)((vec_uint4)_sm_magnitude(x) >> _SM_UINT(23));

    return _sm_select(biased - _SM_INT(127), (vec_int4)_SM_SIGN, _sm_equal(biased, _SM_INT(0)));
}

/* rintf4: an integer next to `x` in the rounding mode of the side: towards zero on the SPU, nearest on VMX. */
static inline vec_float4 _rintf4(vec_float4 x)
{
#ifdef __SPU__
    return _truncf4(x);
#else
    return vec_round(x);
#endif
}

/* irintf4: rintf4 as an integer. */
static inline vec_int4 _irintf4(vec_float4 x)
{
    return _sm_truncated(_rintf4(x));
}

/* roundf4: the nearest integer; halves are rounded away from zero. */
static inline vec_float4 _roundf4(vec_float4 x)
{
    vec_float4 integer = _truncf4(x);
    vec_uint4 down = _sm_greater(_SM_FLOAT(0.5f), _sm_magnitude(x - integer));

    return _sm_select(integer + _sm_with_sign(_SM_FLOAT(1.0f), x), integer, down);
}

/* iroundf4: the nearest integer as an integer; halves are rounded away from zero. */
static inline vec_int4 _iroundf4(vec_float4 x)
{
    return _sm_truncated(_roundf4(x));
}

/* ldexpf4: x 2^n. A result that is too small is 0; one that is too large is infinite on VMX, and the greatest
 * number on the SPU. */
static inline vec_float4 _ldexpf4(vec_float4 x, vec_int4 n)
{
    const vec_int4 zero = _SM_INT(0);
    vec_int4 exponent = (vec_int4)((vec_uint4)_sm_magnitude(x) >> _SM_UINT(23));
#ifdef __SPU__
    const vec_int4 greatest = _SM_INT(255);
#else
    const vec_int4 greatest = _SM_INT(254);
#endif
    vec_uint4 is_zero = _sm_equal(exponent, zero), too_large, too_small;
    vec_float4 result;

    /* A sum of n and the exponent could wrap. */
    too_large = _sm_greater(n, greatest - exponent);
    too_small = _sm_greater(_SM_INT(1) - exponent, n);
    result = _sm_select(_sm_scaled(x, n), _sm_with_sign((vec_float4)_SM_UINT(_SM_HUGE), x), too_large);
    result = _sm_select(result, _sm_with_sign((vec_float4)zero, x), too_small | is_zero);
#ifndef __SPU__
    /* Infinities and NaNs stay as they are. */
    result = _sm_select(result, x, _sm_greater(exponent, greatest));
#endif
    return result;
}

/* logbf4: the exponent of `x` as a number, as ilogbf4. */
static inline vec_float4 _logbf4(vec_float4 x)
{
    return _sm_float(_ilogbf4(x));
}

/* modff4: returns the fraction of `x`, and stores the integer part in `*integer`. Both have the sign of `x`. */
static inline vec_float4 _modff4(vec_float4 x, vec_float4 *integer)
{
    *integer = _truncf4(x);
    return _sm_with_sign(x - *integer, x);
}

/* nearbyintf4: as rintf4. */
static inline vec_float4 _nearbyintf4(vec_float4 x)
{
    return _rintf4(x);
}

/* negatef4: -x. */
static inline vec_float4 _negatef4(vec_float4 x)
{
    return (vec_float4)((vec_uint4)x ^ _SM_SIGN);
}

/* scalbnf4: x 2^n, as ldexpf4. */
static inline vec_float4 _scalbnf4(vec_float4 x, vec_int4 n)
{
    return _ldexpf4(x, n);
}

#endif
