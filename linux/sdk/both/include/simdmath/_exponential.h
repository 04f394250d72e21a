/* The common part of exponential functions. */
#ifndef CELLSTATS_SIMDMATH_EXPONENTIAL_H
#define CELLSTATS_SIMDMATH_EXPONENTIAL_H

#include <simdmath/_vector.h>

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

#endif
