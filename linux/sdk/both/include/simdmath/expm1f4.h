/* expm1f4: e^x - 1, within 4 ulp. */
#ifndef CELLSTATS_SIMDMATH_EXPM1F4_H
#define CELLSTATS_SIMDMATH_EXPM1F4_H

#include <simdmath/expf4.h>

static inline vec_float4 _expm1f4(vec_float4 x)
{
    vec_float4 sum = _SM_FLOAT(1.0f / 40320);

    sum = _sm_multiply_add(sum, x, _SM_FLOAT(1.0f / 5040));
    sum = _sm_multiply_add(sum, x, _SM_FLOAT(1.0f / 720));
    sum = _sm_multiply_add(sum, x, _SM_FLOAT(1.0f / 120));
    sum = _sm_multiply_add(sum, x, _SM_FLOAT(1.0f / 24));
    sum = _sm_multiply_add(sum, x, _SM_FLOAT(1.0f / 6));
    sum = _sm_multiply_add(sum, x, _SM_FLOAT(0.5f));
    sum = _sm_multiply_add(sum, _sm_multiply(x, x), x);
    return _sm_select(_expf4(x) - _SM_FLOAT(1.0f), sum, _sm_greater(_SM_FLOAT(0.4f), _sm_magnitude(x)));
}

#endif
