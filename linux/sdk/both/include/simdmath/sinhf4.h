/* sinhf4: hyperbolic sine, within 6 ulp. With u = e^|x| - 1, it is (u + u / (u + 1)) / 2. */
#ifndef CELLSTATS_SIMDMATH_SINHF4_H
#define CELLSTATS_SIMDMATH_SINHF4_H

#include <simdmath/divf4.h>
#include <simdmath/expm1f4.h>

static inline vec_float4 _sinhf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f), half = _SM_FLOAT(0.5f);
    vec_float4 u = _expm1f4(_sm_magnitude(x));

    return _sm_with_sign(_sm_multiply(half, u + _divf4(u, u + one)), x);
}

#endif
