/* log10f4: logarithm to the base 10, within 3 ulp, as logf4. */
#ifndef CELLSTATS_SIMDMATH_LOG10F4_H
#define CELLSTATS_SIMDMATH_LOG10F4_H

#include <simdmath/_logarithm.h>

static inline vec_float4 _log10f4(vec_float4 x)
{
    /* log10(2) in two parts; the first has few bits, so that its product with n is exact. */
    const vec_float4 log2_high = _SM_FLOAT(0x1.344p-2f), log2_low = _SM_FLOAT(0x1.3509f8p-18f);
    vec_float4 n, f = _sm_fraction_above_one(x, &n), logarithm = f - _sm_logarithm_correction(f);

    logarithm = _sm_multiply_add(logarithm, _SM_FLOAT(0x1.bcb7b2p-2f), _sm_multiply(n, log2_low));
    return _sm_logarithm_or_pole(_sm_multiply_add(n, log2_high, logarithm), x);
}

#endif
