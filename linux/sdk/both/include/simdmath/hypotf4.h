/* hypotf4: sqrt(x^2 + y^2), within 2 ulp where the squares are neither too large nor denormal. */
#ifndef CELLSTATS_SIMDMATH_HYPOTF4_H
#define CELLSTATS_SIMDMATH_HYPOTF4_H

#include <simdmath/sqrtf4.h>

static inline vec_float4 _hypotf4(vec_float4 x, vec_float4 y)
{
    return _sqrtf4(_sm_multiply_add(x, x, _sm_multiply(y, y)));
}

#endif
