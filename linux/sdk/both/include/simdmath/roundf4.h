/* roundf4: the nearest integer; halves are rounded away from zero. */
#ifndef CELLSTATS_SIMDMATH_ROUNDF4_H
#define CELLSTATS_SIMDMATH_ROUNDF4_H

#include <simdmath/truncf4.h>

static inline vec_float4 _roundf4(vec_float4 x)
{
    vec_float4 integer = _truncf4(x);
    vec_uint4 down = _sm_greater(_SM_FLOAT(0.5f), _sm_magnitude(x - integer));

    return _sm_select(integer + _sm_with_sign(_SM_FLOAT(1.0f), x), integer, down);
}

#endif
