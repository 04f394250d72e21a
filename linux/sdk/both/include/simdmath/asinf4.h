/* asinf4: arc sine, within 5 ulp: the angle of the point (sqrt(1 - x^2), x). */
#ifndef CELLSTATS_SIMDMATH_ASINF4_H
#define CELLSTATS_SIMDMATH_ASINF4_H

#include <simdmath/atan2f4.h>
#include <simdmath/sqrtf4.h>

static inline vec_float4 _asinf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f);

    return _atan2f4(x, _sqrtf4(_sm_multiply(one - x, one + x)));
}

#endif
