/* acosf4: arc cosine, within 5 ulp: the angle of the point (x, sqrt(1 - x^2)). */
#ifndef CELLSTATS_SIMDMATH_ACOSF4_H
#define CELLSTATS_SIMDMATH_ACOSF4_H

#include <simdmath/atan2f4.h>
#include <simdmath/sqrtf4.h>

static inline vec_float4 _acosf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f);

    return _atan2f4(_sqrtf4(_sm_multiply(one - x, one + x)), x);
}

#endif
