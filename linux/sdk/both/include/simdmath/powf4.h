/* powf4: x^y. The error grows with the result's exponent: (4 + |y log2 x|) ulp.
 *
 * A negative x needs an integer y. On the SPU, which has no NaNs, any other y gives no particular number. 0^y
 * is 0 for positive y, 1 for y = 0, and the greatest number for negative y; infinite on VMX.
 */
#ifndef CELLSTATS_SIMDMATH_POWF4_H
#define CELLSTATS_SIMDMATH_POWF4_H

#include <simdmath/exp2f4.h>
#include <simdmath/log2f4.h>
#include <simdmath/truncf4.h>

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

#endif
