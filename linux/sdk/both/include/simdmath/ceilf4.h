/* ceilf4: the smallest integer that is not smaller than `x`. */
#ifndef CELLSTATS_SIMDMATH_CEILF4_H
#define CELLSTATS_SIMDMATH_CEILF4_H

#include <simdmath/truncf4.h>

static inline vec_float4 _ceilf4(vec_float4 x)
{
    vec_float4 integer = _truncf4(x);

    return _sm_with_sign(_sm_select(integer, integer + _SM_FLOAT(1.0f), _sm_greater(x, integer)), x);
}

#endif
