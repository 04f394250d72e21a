/* copysignf4: the magnitude of `x` with the sign of `y`. */
#ifndef CELLSTATS_SIMDMATH_COPYSIGNF4_H
#define CELLSTATS_SIMDMATH_COPYSIGNF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _copysignf4(vec_float4 x, vec_float4 y)
{
    return _sm_with_sign(x, y);
}

#endif
