/* cbrtf4: cube root, within 3 ulp. One step of Newton's method improves 2^(log2(x) / 3). */
#ifndef CELLSTATS_SIMDMATH_CBRTF4_H
#define CELLSTATS_SIMDMATH_CBRTF4_H

#include <simdmath/divf4.h>
#include <simdmath/exp2f4.h>
#include <simdmath/log2f4.h>

static inline vec_float4 _cbrtf4(vec_float4 x)
{
    const vec_float4 third = _SM_FLOAT(1.0f / 3);
    vec_float4 magnitude = _sm_magnitude(x), root, step;
    vec_uint4 small = _sm_greater(_SM_FLOAT(0x1p-60f), magnitude);

    /* The division needs numbers that are not too small. */
    magnitude = _sm_select(magnitude, _sm_multiply(magnitude, _SM_FLOAT(0x1p60f)), small);
    root = _exp2f4(_sm_multiply(_log2f4(magnitude), third));
    step = _divf4(magnitude, _sm_multiply(root, root)) - root;
    root = _sm_if_number(_sm_multiply_add(step, third, root), root);
    root = _sm_select(root, _sm_multiply(root, _SM_FLOAT(0x1p-20f)), small);
    return _sm_with_sign(_sm_select(root, magnitude, _sm_equal(x, _SM_FLOAT(0.0f))), x);
}

#endif
