/* negatef4: -x. */
#ifndef CELLSTATS_SIMDMATH_NEGATEF4_H
#define CELLSTATS_SIMDMATH_NEGATEF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _negatef4(vec_float4 x)
{
    return (vec_float4)((vec_uint4)x ^ _SM_SIGN);
}

#endif
