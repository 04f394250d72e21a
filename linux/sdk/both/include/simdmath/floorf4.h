/* floorf4: the greatest integer that is not greater than `x`. */
#ifndef CELLSTATS_SIMDMATH_FLOORF4_H
#define CELLSTATS_SIMDMATH_FLOORF4_H

#include <simdmath/truncf4.h>

static inline vec_float4 _floorf4(vec_float4 x)
{
    vec_float4 integer = _truncf4(x);

    return _sm_select(integer, integer - _SM_FLOAT(1.0f), _sm_greater(integer, x));
}

#endif
