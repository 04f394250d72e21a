/* recipf4_fast: 1 / x for normal numbers, within 4 ulp: one step of Newton's method less than recipf4. */
#ifndef CELLSTATS_SIMDMATH_RECIPF4_FAST_H
#define CELLSTATS_SIMDMATH_RECIPF4_FAST_H

#include <simdmath/_vector.h>

static inline vec_float4 _recipf4_fast(vec_float4 x)
{
    vec_float4 y = _sm_reciprocal_estimate(x);

    return _sm_multiply_add(y, _sm_subtract_product(_SM_FLOAT(1.0f), x, y), y);
}

#endif
