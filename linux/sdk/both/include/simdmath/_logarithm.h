/* The common part of logarithms. */
#ifndef CELLSTATS_SIMDMATH_LOGARITHM_H
#define CELLSTATS_SIMDMATH_LOGARITHM_H

#include <simdmath/divf4.h>

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

#endif
