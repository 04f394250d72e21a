/* expf4: e^x, within 2 ulp. A result below 2^-126 is 0. One that is too large is infinite on VMX, and the
 * greatest number on the SPU. */
#ifndef CELLSTATS_SIMDMATH_EXPF4_H
#define CELLSTATS_SIMDMATH_EXPF4_H

#include <simdmath/_exponential.h>

static inline vec_float4 _expf4(vec_float4 x)
{
    /* ln 2 in two parts: the first has few bits, so that its product with n is exact. */
    const vec_float4 ln2_high = _SM_FLOAT(0x1.62e4p-1f), ln2_low = _SM_FLOAT(0x1.7f7d1cp-20f);
    vec_float4 argument = _sm_multiply(x, _SM_FLOAT(0x1.715476p0f));
    vec_int4 n = _sm_nearest(argument);
    vec_float4 r = _sm_subtract_product(_sm_subtract_product(x, _sm_float(n), ln2_high), _sm_float(n), ln2_low);

    return _sm_exponential(n, r, argument);
}

#endif
