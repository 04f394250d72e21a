/* fminf4: the smaller one of two numbers, and the number if the other one is NaN. */
#ifndef CELLSTATS_SIMDMATH_FMINF4_H
#define CELLSTATS_SIMDMATH_FMINF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _fminf4(vec_float4 x, vec_float4 y)
{
    vec_float4 a = _sm_if_number(x, y), b = _sm_if_number(y, x);

    return _sm_select(b, a, _sm_greater(b, a));
}

#endif
