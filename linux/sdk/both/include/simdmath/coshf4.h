/* coshf4: hyperbolic cosine, within 4 ulp. */
#ifndef CELLSTATS_SIMDMATH_COSHF4_H
#define CELLSTATS_SIMDMATH_COSHF4_H

#include <simdmath/expf4.h>
#include <simdmath/recipf4.h>

static inline vec_float4 _coshf4(vec_float4 x)
{
    const vec_float4 half = _SM_FLOAT(0.5f);
    vec_float4 power = _expf4(_sm_magnitude(x));

    return _sm_multiply_add(half, power, _sm_multiply(half, _recipf4(power)));
}

#endif
