/* fdimf4: x - y, or 0 if this is negative. */
#ifndef CELLSTATS_SIMDMATH_FDIMF4_H
#define CELLSTATS_SIMDMATH_FDIMF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _fdimf4(vec_float4 x, vec_float4 y)
{
    return _sm_select(x - y, _SM_FLOAT(0.0f), _sm_greater(y, x));
}

#endif
