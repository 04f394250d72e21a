/* rsqrtf4_fast: 1 / sqrt(x) for normal numbers, within 6 ulp: one step of Newton's method less than rsqrtf4. */
#ifndef CELLSTATS_SIMDMATH_RSQRTF4_FAST_H
#define CELLSTATS_SIMDMATH_RSQRTF4_FAST_H

#include <simdmath/_vector.h>

static inline vec_float4 _rsqrtf4_fast(vec_float4 x)
{
    vec_float4 y = _sm_root_estimate(x), half = _sm_multiply(_SM_FLOAT(0.5f), y);

    return _sm_multiply_add(half, _sm_subtract_product(_SM_FLOAT(1.0f), _sm_multiply(x, y), y), y);
}

#endif
