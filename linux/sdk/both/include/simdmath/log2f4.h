/* log2f4: logarithm to the base 2, within 3 ulp, as logf4. */
#ifndef CELLSTATS_SIMDMATH_LOG2F4_H
#define CELLSTATS_SIMDMATH_LOG2F4_H

#include <simdmath/_logarithm.h>

static inline vec_float4 _log2f4(vec_float4 x)
{
    /* 1 / ln 2 in two parts. */
    const vec_float4 scale_high = _SM_FLOAT(0x1.715p0f), scale_low = _SM_FLOAT(0x1.1d94aep-14f);
    vec_float4 n, f = _sm_fraction_above_one(x, &n), logarithm = f - _sm_logarithm_correction(f);

    logarithm = _sm_multiply_add(logarithm, scale_high, _sm_multiply(logarithm, scale_low));
    return _sm_logarithm_or_pole(n + logarithm, x);
}

#endif
