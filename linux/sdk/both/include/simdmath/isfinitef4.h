/* isfinitef4: ones in the elements that are neither infinite nor NaN. */
#ifndef CELLSTATS_SIMDMATH_ISFINITEF4_H
#define CELLSTATS_SIMDMATH_ISFINITEF4_H

#include <simdmath/isinff4.h>
#include <simdmath/isnanf4.h>

static inline vec_uint4 _isfinitef4(vec_float4 x)
{
    return ~(_isnanf4(x) | _isinff4(x));
}

#endif
