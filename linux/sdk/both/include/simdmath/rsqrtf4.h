/* rsqrtf4: 1 / sqrt(x), within 2 ulp. Newton's method doubles the estimate's 12 bits twice. */
#ifndef CELLSTATS_SIMDMATH_RSQRTF4_H
#define CELLSTATS_SIMDMATH_RSQRTF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _rsqrtf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f), half = _SM_FLOAT(0.5f);
    vec_float4 estimate = _sm_root_estimate(x), y = estimate;

    y = _sm_multiply_add(_sm_multiply(half, y), _sm_subtract_product(one, _sm_multiply(x, y), y), y);
    y = _sm_multiply_add(_sm_multiply(half, y), _sm_subtract_product(one, _sm_multiply(x, y), y), y);
    return _sm_if_number(y, estimate);
}

#endif
