/* sqrtf4: square root, within 2 ulp. A negative number gives NaN on VMX, and no particular number on the
 * SPU. */
#ifndef CELLSTATS_SIMDMATH_SQRTF4_H
#define CELLSTATS_SIMDMATH_SQRTF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _sqrtf4(vec_float4 x)
{
    const vec_float4 half = _SM_FLOAT(0.5f);
    vec_float4 estimate = _sm_root_estimate(x), root = _sm_multiply(x, estimate);
    vec_float4 half_reciprocal = _sm_multiply(half, estimate);
    vec_float4 error = _sm_subtract_product(half, root, half_reciprocal);
    vec_uint4 is_its_own_root;

    root = _sm_multiply_add(root, error, root);
    half_reciprocal = _sm_multiply_add(half_reciprocal, error, half_reciprocal);
    root = _sm_multiply_add(_sm_subtract_product(x, root, root), half_reciprocal, root);
    is_its_own_root = _sm_equal(x, _SM_FLOAT(0.0f));
#ifndef __SPU__
    is_its_own_root |= _sm_equal(x, (vec_float4)_SM_UINT(_SM_HUGE));
#endif
    return _sm_select(root, x, is_its_own_root);
}

#endif
