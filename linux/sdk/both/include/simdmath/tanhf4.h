/* tanhf4: hyperbolic tangent, within 6 ulp. With u = e^2|x| - 1, it is u / (u + 2), which is 1 from |x| = 10
 * on. */
#ifndef CELLSTATS_SIMDMATH_TANHF4_H
#define CELLSTATS_SIMDMATH_TANHF4_H

#include <simdmath/divf4.h>
#include <simdmath/expm1f4.h>

static inline vec_float4 _tanhf4(vec_float4 x)
{
    vec_float4 magnitude = _sm_magnitude(x), u;

    magnitude = _sm_select(magnitude, _SM_FLOAT(10.0f), _sm_greater(magnitude, _SM_FLOAT(10.0f)));
    u = _expm1f4(magnitude + magnitude);
    return _sm_with_sign(_divf4(u, u + _SM_FLOAT(2.0f)), x);
}

#endif
