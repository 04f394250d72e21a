/* isnanf4: ones in the elements that are no numbers. The SPU has none. */
#ifndef CELLSTATS_SIMDMATH_ISNANF4_H
#define CELLSTATS_SIMDMATH_ISNANF4_H

#include <simdmath/_vector.h>

static inline vec_uint4 _isnanf4(vec_float4 x)
{
#ifdef __SPU__
    (void)x;
    return _SM_UINT(0);
#else
    return ~_sm_equal(x, x);
#endif
}

#endif
