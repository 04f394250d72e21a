/* Fast functions of less accuracy, inline. */
#ifndef CELLSTATS_SIMDMATH_FAST_H
#define CELLSTATS_SIMDMATH_FAST_H

#include <simdmath/_vector.h>

/* recipf4_fast: 1 / x for normal numbers, within 4 ulp: one step of Newton's method less than recipf4. */
static inline vec_float4 _recipf4_fast(vec_float4 x)
{
    vec_float4 y = _sm_reciprocal_estimate(x);

    return _sm_multiply_add(y, _sm_subtract_product(_SM_FLOAT(1.0f), x, y), y);
}

/* divf4_fast: x / y for normal numbers, within 6 ulp. */
static inline vec_float4 _divf4_fast(vec_float4 x, vec_float4 y)
{
    return _sm_multiply(x, _recipf4_fast(y));
}

/* rsqrtf4_fast: 1 / sqrt(x) for normal numbers, within 6 ulp: one step of Newton's method less than rsqrtf4. */
static inline vec_float4 _rsqrtf4_fast(vec_float4 x)
{
    vec_float4 y = _sm_root_estimate(x), half = _sm_multiply(_SM_FLOAT(0.5f), y);

    return _sm_multiply_add(half, _sm_subtract_product(_SM_FLOAT(1.0f), _sm_multiply(x, y), y), y);
}

/* sqrtf4_fast: sqrt(x) for normal numbers, within 8 ulp. */
static inline vec_float4 _sqrtf4_fast(vec_float4 x)
{
    return _sm_multiply(x, _rsqrtf4_fast(x));
}

#endif
