/* fmaf4: x y + z, rounded once. */
#ifndef CELLSTATS_SIMDMATH_FMAF4_H
#define CELLSTATS_SIMDMATH_FMAF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _fmaf4(vec_float4 x, vec_float4 y, vec_float4 z)
{
    return _sm_multiply_add(x, y, z);
}

#endif
