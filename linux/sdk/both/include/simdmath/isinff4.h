/* isinff4: ones in the elements that are infinite. The SPU has none. */
#ifndef CELLSTATS_SIMDMATH_ISINFF4_H
#define CELLSTATS_SIMDMATH_ISINFF4_H

#include <simdmath/_vector.h>

static inline vec_uint4 _isinff4(vec_float4 x)
{
#ifdef __SPU__
    (void)x;
    return _SM_UINT(0);
#else
    return _sm_equal(_sm_magnitude(x), (vec_float4)_SM_UINT(_SM_HUGE));
#endif
}

#endif
