/* divf4_fast: x / y for normal numbers, within 6 ulp. */
#ifndef CELLSTATS_SIMDMATH_DIVF4_FAST_H
#define CELLSTATS_SIMDMATH_DIVF4_FAST_H

#include <simdmath/recipf4_fast.h>

static inline vec_float4 _divf4_fast(vec_float4 x, vec_float4 y)
{
    return _sm_multiply(x, _recipf4_fast(y));
}

#endif
