/* recipf4: 1 / x, within 1 ulp for |x| up to 2^125. */
#ifndef CELLSTATS_SIMDMATH_RECIPF4_H
#define CELLSTATS_SIMDMATH_RECIPF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _recipf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f);
    vec_float4 estimate = _sm_reciprocal_estimate(x), y = estimate;

    y = _sm_multiply_add(y, _sm_subtract_product(one, x, y), y);
    y = _sm_multiply_add(y, _sm_subtract_product(one, x, y), y);
    return _sm_if_number(y, estimate);
}

#endif
