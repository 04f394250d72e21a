/* modff4: returns the fraction of `x`, and stores the integer part in `*integer`. Both have the sign of `x`. */
#ifndef CELLSTATS_SIMDMATH_MODFF4_H
#define CELLSTATS_SIMDMATH_MODFF4_H

#include <simdmath/truncf4.h>

static inline vec_float4 _modff4(vec_float4 x, vec_float4 *integer)
{
    *integer = _truncf4(x);
    return _sm_with_sign(x - *integer, x);
}

#endif
