/* truncf4: the integer next to `x` towards zero. Numbers from 2^23 have no fraction. */
#ifndef CELLSTATS_SIMDMATH_TRUNCF4_H
#define CELLSTATS_SIMDMATH_TRUNCF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _truncf4(vec_float4 x)
{
    vec_uint4 has_fraction = _sm_greater(_SM_FLOAT(8388608.0f), _sm_magnitude(x));

    return _sm_with_sign(_sm_select(x, _sm_float(_sm_truncated(x)), has_fraction), x);
}

#endif
