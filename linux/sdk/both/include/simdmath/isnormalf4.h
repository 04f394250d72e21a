/* isnormalf4: ones in the elements that are neither zero, denormal, infinite nor NaN. */
#ifndef CELLSTATS_SIMDMATH_ISNORMALF4_H
#define CELLSTATS_SIMDMATH_ISNORMALF4_H

#include <simdmath/is0denormf4.h>
#include <simdmath/isfinitef4.h>

static inline vec_uint4 _isnormalf4(vec_float4 x)
{
    return _isfinitef4(x) & ~_is0denormf4(x);
}

#endif
