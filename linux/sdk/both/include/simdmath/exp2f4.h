/* exp2f4: 2^x, within 2 ulp, as expf4. */
#ifndef CELLSTATS_SIMDMATH_EXP2F4_H
#define CELLSTATS_SIMDMATH_EXP2F4_H

#include <simdmath/_exponential.h>

static inline vec_float4 _exp2f4(vec_float4 x)
{
    vec_int4 n = _sm_nearest(x);
    vec_float4 r = _sm_multiply(x - _sm_float(n), _SM_FLOAT(0x1.62e43p-1f));

    return _sm_exponential(n, r, x);
}

#endif
