/* Powers, exponentials and logarithms, inline. */
#ifndef CELLSTATS_SIMDMATH_POWERS_H
#define CELLSTATS_SIMDMATH_POWERS_H

#include <simdmath/_arithmetic.h>
#include <simdmath/_numbers.h>

/* The common part of exponential functions. */
/* 2^n e^r for |r| <= 0.35. Taylor's series: the first term that is left out is below 2^-27. `argument` is the
 * exponent of the whole power to the base 2, which decides where the result is too large or too small. */
static inline vec_float4 _sm_exponential(vec_int4 n, vec_float4 r, vec_float4 argument)
{
    const vec_float4 limit = _SM_FLOAT(_SM_EXPONENT_LIMIT);
    vec_uint4 too_large;
    vec_float4 sum = _SM_FLOAT(1.0f / 5040);

    sum = _sm_multiply_add(sum, r, _SM_FLOAT(1.0f / 720));
    sum = _sm_multiply_add(sum, r, _SM_FLOAT(1.0f / 120));
    sum = _sm_multiply_add(sum, r, _SM_FLOAT(1.0f / 24));
    sum = _sm_multiply_add(sum, r, _SM_FLOAT(1.0f / 6));
    sum = _sm_multiply_add(sum, r, _SM_FLOAT(0.5f));
    sum = _sm_multiply_add(sum, _sm_multiply(r, r), r) + _SM_FLOAT(1.0f);
    sum = _sm_scaled(sum, n);
    sum = _sm_select(sum, _SM_FLOAT(0.0f), _sm_greater(_SM_FLOAT(-126.0f), argument));
    too_large = _sm_greater(argument, limit) | _sm_equal(argument, limit);
    return _sm_select(sum, (vec_float4)_SM_UINT(_SM_HUGE), too_large);
}

/* The common part of logarithms. */
/* The greatest negative number in place of the logarithm of 0, and NaN of a negative number, on VMX; the SPU
 * has neither. */
static inline vec_float4 _sm_logarithm_or_pole(vec_float4 logarithm, vec_float4 x)
{
#ifndef __SPU__
    const vec_uint4 infinity = _SM_UINT(_SM_HUGE), nan = _SM_UINT(0x7fc00000u);

    logarithm = _sm_select(logarithm, x, _sm_equal(x, (vec_float4)infinity));
    logarithm = _sm_select((vec_float4)nan, logarithm, (vec_uint4)vec_cmpge(x, _SM_FLOAT(0.0f)));
#endif
    return _sm_select(logarithm, (vec_float4)(_SM_UINT(_SM_HUGE) | _SM_SIGN), _sm_equal(x, _SM_FLOAT(0.0f)));
}

/* ln(1 + f) = f - correction, for 1 + f between sqrt(1/2) and sqrt(2). With s = f / (2 + f), ln(1 + f) is 2
 * artanh(s), whose series has the terms 2 s^(2k + 1) / (2k + 1). Because f is exact and the correction is
 * small, so is the error. */
static inline vec_float4 _sm_logarithm_correction(vec_float4 f)
{
    vec_float4 s = _divf4(f, f + _SM_FLOAT(2.0f)), z = _sm_multiply(s, s);
    vec_float4 sum = _SM_FLOAT(2.0f / 9), half_square = _sm_multiply(_sm_multiply(f, f), _SM_FLOAT(0.5f));

    sum = _sm_multiply_add(sum, z, _SM_FLOAT(2.0f / 7));
    sum = _sm_multiply_add(sum, z, _SM_FLOAT(2.0f / 5));
    sum = _sm_multiply_add(sum, z, _SM_FLOAT(2.0f / 3));
    return _sm_subtract_product(half_square, s, _sm_multiply_add(sum, z, half_square));
}

/* Returns f, and stores n, so that x = (1 + f) 2^n, and 1 + f is between sqrt(1/2) and sqrt(2). */
static inline vec_float4 _sm_fraction_above_one(vec_float4 x, vec_float4 *n)
{
    const vec_int4 root_of_half = _SM_INT(0x3f3504f3), mask = _SM_INT(0x007fffff);
    vec_int4 offset = (vec_int4)x - root_of_half;

    *n = _sm_float(offset >> _SM_INT(23));
    return (vec_float4)((offset & mask) + root_of_half) - _SM_FLOAT(1.0f);
}

/* exp2f4: 2^x, within 2 ulp, as expf4. */
static inline vec_float4 _exp2f4(vec_float4 x)
{
    vec_int4 n = _sm_nearest(x);
    vec_float4 r = _sm_multiply(x - _sm_float(n), _SM_FLOAT(0x1.62e43p-1f));

    return _sm_exponential(n, r, x);
}

/* log2f4: logarithm to the base 2, within 3 ulp, as logf4. */
static inline vec_float4 _log2f4(vec_float4 x)
{
    /* 1 / ln 2 in two parts. */
    const vec_float4 scale_high = _SM_FLOAT(0x1.715p0f), scale_low = _SM_FLOAT(0x1.1d94aep-14f);
    vec_float4 n, f = _sm_fraction_above_one(x, &n), logarithm = f - _sm_logarithm_correction(f);

    logarithm = _sm_multiply_add(logarithm, scale_high, _sm_multiply(logarithm, scale_low));
    return _sm_logarithm_or_pole(n + logarithm, x);
}

/* cbrtf4: cube root, within 3 ulp. One step of Newton's method improves 2^(log2(x) / 3). */
static inline vec_float4 _cbrtf4(vec_float4 x)
{
    const vec_float4 third = _SM_FLOAT(1.0f / 3);
    vec_float4 magnitude = _sm_magnitude(x), root, step;
    vec_uint4 small = _sm_greater(_SM_FLOAT(0x1p-60f), magnitude);

    /* The division needs numbers that are not too small. */
    magnitude = _sm_select(magnitude, _sm_multiply(magnitude, _SM_FLOAT(0x1p60f)), small);
    root = _exp2f4(_sm_multiply(_log2f4(magnitude), third));
    step = _divf4(magnitude, _sm_multiply(root, root)) - root;
    root = _sm_if_number(_sm_multiply_add(step, third, root), root);
    root = _sm_select(root, _sm_multiply(root, _SM_FLOAT(0x1p-20f)), small);
    return _sm_with_sign(_sm_select(root, magnitude, _sm_equal(x, _SM_FLOAT(0.0f))), x);
}

/* expf4: e^x, within 2 ulp. A result below 2^-126 is 0. One that is too large is infinite on VMX, and the
 * greatest number on the SPU. */
static inline vec_float4 _expf4(vec_float4 x)
{
    /* ln 2 in two parts: the first has few bits, so that its product with n is exact. */
    const vec_float4 ln2_high = _SM_FLOAT(0x1.62e4p-1f), ln2_low = _SM_FLOAT(0x1.7f7d1cp-20f);
    vec_float4 argument = _sm_multiply(x, _SM_FLOAT(0x1.715476p0f));
    vec_int4 n = _sm_nearest(argument);
    vec_float4 r = _sm_subtract_product(_sm_subtract_product(x, _sm_float(n), ln2_high), _sm_float(n), ln2_low);

    return _sm_exponential(n, r, argument);
}

/* coshf4: hyperbolic cosine, within 4 ulp. */
static inline vec_float4 _coshf4(vec_float4 x)
{
    const vec_float4 half = _SM_FLOAT(0.5f);
    vec_float4 power = _expf4(_sm_magnitude(x));

    return _sm_multiply_add(half, power, _sm_multiply(half, _recipf4(power)));
}

/* expm1f4: e^x - 1, within 4 ulp. */
static inline vec_float4 _expm1f4(vec_float4 x)
{
    vec_float4 sum = _SM_FLOAT(1.0f / 40320);

    sum = _sm_multiply_add(sum, x, _SM_FLOAT(1.0f / 5040));
    sum = _sm_multiply_add(sum, x, _SM_FLOAT(1.0f / 720));
    sum = _sm_multiply_add(sum, x, _SM_FLOAT(1.0f / 120));
    sum = _sm_multiply_add(sum, x, _SM_FLOAT(1.0f / 24));
    sum = _sm_multiply_add(sum, x, _SM_FLOAT(1.0f / 6));
    sum = _sm_multiply_add(sum, x, _SM_FLOAT(0.5f));
    sum = _sm_multiply_add(sum, _sm_multiply(x, x), x);
    return _sm_select(_expf4(x) - _SM_FLOAT(1.0f), sum, _sm_greater(_SM_FLOAT(0.4f), _sm_magnitude(x)));
}

/* log10f4: logarithm to the base 10, within 3 ulp, as logf4. */
static inline vec_float4 _log10f4(vec_float4 x)
{
    /* log10(2) in two parts; the first has few bits, so that its product with n is exact. */
    const vec_float4 log2_high = _SM_FLOAT(0x1.344p-2f), log2_low = _SM_FLOAT(0x1.3509f8p-18f);
    vec_float4 n, f = _sm_fraction_above_one(x, &n), logarithm = f - _sm_logarithm_correction(f);

    logarithm = _sm_multiply_add(logarithm, _SM_FLOAT(0x1.bcb7b2p-2f), _sm_multiply(n, log2_low));
    return _sm_logarithm_or_pole(_sm_multiply_add(n, log2_high, logarithm), x);
}

/* logf4: natural logarithm, within 2 ulp. The logarithm of 0 is the greatest negative number, which is
 * -infinity on VMX. */
static inline vec_float4 _logf4(vec_float4 x)
{
    const vec_float4 ln2_high = _SM_FLOAT(0x1.62e4p-1f), ln2_low = _SM_FLOAT(0x1.7f7d1cp-20f);
    vec_float4 n, f = _sm_fraction_above_one(x, &n), correction = _sm_logarithm_correction(f);

    correction = _sm_subtract_product(correction, n, ln2_low);
    return _sm_logarithm_or_pole(_sm_multiply_add(n, ln2_high, f - correction), x);
}

/* log1pf4: ln(1 + x), within 4 ulp. Where 1 + x is rounded, its rounding error divided by 1 + x corrects the
 * logarithm. */
static inline vec_float4 _log1pf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f);
    vec_float4 sum = x + one, small = x - _sm_logarithm_correction(x), lost = x - (sum - one);
    vec_float4 logarithm = _logf4(sum) + _divf4(lost, sum);

    logarithm = _sm_select(logarithm, small, _sm_greater(_SM_FLOAT(0.29f), _sm_magnitude(x)));
    return _sm_select(logarithm, _logf4(sum), _sm_greater(x, _SM_FLOAT(16777216.0f)));
}

/* powf4: x^y. The error grows with the result's exponent: (4 + |y log2 x|) ulp.
 *
 * A negative x needs an integer y. On the SPU, which has no NaNs, any other y gives no particular number. 0^y
 * is 0 for positive y, 1 for y = 0, and the greatest number for negative y; infinite on VMX.
 */
/* 2^(y log2 x) for positive x. log2 x = n + f scale - rest, where f and n are exact. The product of y with the
 * great part, high, is formed exactly as two numbers. */
static inline vec_float4 _sm_power(vec_float4 x, vec_float4 y)
{
    const vec_float4 scale_high = _SM_FLOAT(0x1.715p0f), scale_low = _SM_FLOAT(0x1.1d94aep-14f);
    vec_float4 n, f = _sm_fraction_above_one(x, &n), correction = _sm_logarithm_correction(f);
    /* The first 12 bits of f, whose product with the 12 bits of scale_high is exact. */
    vec_float4 f_high = (vec_float4)((vec_uint4)f & _SM_UINT(0xfffff000u)), f_low = f - f_high;
    vec_float4 product = _sm_multiply(f_high, scale_high), high = n + product;
    vec_float4 low = (n - high) + product, exponent, rest;
    vec_uint4 fraction_is_greater = _sm_greater(_sm_magnitude(product), _sm_magnitude(n));
    vec_int4 whole;

    low = _sm_select(low, (product - high) + n, fraction_is_greater);
    low = _sm_multiply_add(f_low, scale_high, low);
    low = _sm_multiply_add(f - correction, scale_low, low);
    low = _sm_subtract_product(low, correction, scale_high);
    exponent = _sm_multiply(y, high);
    rest = _sm_multiply_add(y, low, _sm_multiply_add(y, high, -exponent));
    whole = _sm_nearest(exponent + rest);
    n = _sm_float(whole);
    return _sm_exponential(whole, _sm_multiply(exponent - n + rest, _SM_FLOAT(0x1.62e43p-1f)), exponent + rest);
}

static inline vec_float4 _powf4(vec_float4 x, vec_float4 y)
{
    const vec_float4 zero = _SM_FLOAT(0.0f), one = _SM_FLOAT(1.0f);
    const vec_float4 huge = (vec_float4)_SM_UINT(_SM_HUGE);
    vec_float4 power = _sm_power(_sm_magnitude(x), y), half = _sm_multiply(y, _SM_FLOAT(0.5f));
    vec_uint4 is_integer = _sm_equal(_truncf4(y), y), is_odd = is_integer & ~_sm_equal(_truncf4(half), half);

    power = _sm_select(power, _sm_select(zero, huge, _sm_greater(zero, y)), _sm_equal(x, zero));
#ifndef __SPU__
    power = _sm_select(power, _sm_select(huge, zero, _sm_greater(zero, y)), _sm_equal(_sm_magnitude(x), huge));
    power = _sm_select(power, (vec_float4)_SM_UINT(0x7fc00000u), _sm_greater(zero, x) & ~is_integer);
    /* NaN as x gives NaN. */
    power = _sm_select(x, power, _sm_equal(x, x));
#endif
    power = _sm_select(power, _sm_with_sign(power, x), is_odd);
    return _sm_select(power, one, _sm_equal(y, zero));
}

/* sinhf4: hyperbolic sine, within 6 ulp. With u = e^|x| - 1, it is (u + u / (u + 1)) / 2. */
static inline vec_float4 _sinhf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f), half = _SM_FLOAT(0.5f);
    vec_float4 u = _expm1f4(_sm_magnitude(x));

    return _sm_with_sign(_sm_multiply(half, u + _divf4(u, u + one)), x);
}

/* tanhf4: hyperbolic tangent, within 6 ulp. With u = e^2|x| - 1, it is u / (u + 2), which is 1 from |x| = 10
 * on. */
static inline vec_float4 _tanhf4(vec_float4 x)
{
    vec_float4 magnitude = _sm_magnitude(x), u;

    magnitude = _sm_select(magnitude, _SM_FLOAT(10.0f), _sm_greater(magnitude, _SM_FLOAT(10.0f)));
    u = _expm1f4(magnitude + magnitude);
    return _sm_with_sign(_divf4(u, u + _SM_FLOAT(2.0f)), x);
}

#endif
