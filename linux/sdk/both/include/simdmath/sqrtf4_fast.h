/* sqrtf4_fast: sqrt(x) for normal numbers, within 8 ulp. */
#ifndef CELLSTATS_SIMDMATH_SQRTF4_FAST_H
#define CELLSTATS_SIMDMATH_SQRTF4_FAST_H

#include <simdmath/rsqrtf4_fast.h>

static inline vec_float4 _sqrtf4_fast(vec_float4 x)
{
    return _sm_multiply(x, _rsqrtf4_fast(x));
}

#endif
