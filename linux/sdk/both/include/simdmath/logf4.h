/* logf4: natural logarithm, within 2 ulp. The logarithm of 0 is the greatest negative number, which is
 * -infinity on VMX. */
#ifndef CELLSTATS_SIMDMATH_LOGF4_H
#define CELLSTATS_SIMDMATH_LOGF4_H

#include <simdmath/_logarithm.h>

static inline vec_float4 _logf4(vec_float4 x)
{
    const vec_float4 ln2_high = _SM_FLOAT(0x1.62e4p-1f), ln2_low = _SM_FLOAT(0x1.7f7d1cp-20f);
    vec_float4 n, f = _sm_fraction_above_one(x, &n), correction = _sm_logarithm_correction(f);

    correction = _sm_subtract_product(correction, n, ln2_low);
    return _sm_logarithm_or_pole(_sm_multiply_add(n, ln2_high, f - correction), x);
}

#endif
