/* sincosf4: sine and cosine at once, in radians, within 3 ulp or 2^-24, for |x| up to 10^4. */
#ifndef CELLSTATS_SIMDMATH_SINCOSF4_H
#define CELLSTATS_SIMDMATH_SINCOSF4_H

#include <simdmath/_vector.h>

/* x minus the nearest multiple n of pi/2. pi/2 has three parts; n times the first one is exact in a fused
 * operation. */
static inline vec_float4 _sm_reduced_angle(vec_float4 x, vec_int4 *quadrant)
{
    vec_float4 n;

    *quadrant = _sm_nearest(_sm_multiply(x, _SM_FLOAT(0x1.45f306p-1f)));
    n = _sm_float(*quadrant);
    x = _sm_subtract_product(x, n, _SM_FLOAT(0x1.921fb4p0f));
    x = _sm_subtract_product(x, n, _SM_FLOAT(0x1.4442dp-24f));
    return _sm_subtract_product(x, n, _SM_FLOAT(0x1.84698ap-48f));
}

/* Taylor's series for |x| <= pi/4: the first terms that are left out are below 2^-28. */
static inline vec_float4 _sm_sine(vec_float4 x, vec_float4 square)
{
    vec_float4 sum = _SM_FLOAT(1.0f / 362880);

    sum = _sm_multiply_add(sum, square, _SM_FLOAT(-1.0f / 5040));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(1.0f / 120));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(-1.0f / 6));
    return _sm_multiply_add(_sm_multiply(x, square), sum, x);
}

static inline vec_float4 _sm_cosine(vec_float4 square)
{
    vec_float4 sum = _SM_FLOAT(-1.0f / 3628800);

    sum = _sm_multiply_add(sum, square, _SM_FLOAT(1.0f / 40320));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(-1.0f / 720));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(1.0f / 24));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(-0.5f));
    return _sm_multiply_add(sum, square, _SM_FLOAT(1.0f));
}

static inline void _sincosf4(vec_float4 x, vec_float4 *sine, vec_float4 *cosine)
{
    vec_int4 quadrant;
    vec_float4 angle = _sm_reduced_angle(x, &quadrant), square = _sm_multiply(angle, angle);
    vec_float4 s = _sm_sine(angle, square), c = _sm_cosine(square);
    vec_uint4 exchanged = _sm_equal(quadrant & _SM_INT(1), _SM_INT(1));
    vec_uint4 sine_sign = (vec_uint4)(quadrant << _SM_INT(30)) & _SM_SIGN;
    vec_uint4 cosine_sign = (vec_uint4)((quadrant + _SM_INT(1)) << _SM_INT(30)) & _SM_SIGN;

    *sine = (vec_float4)((vec_uint4)_sm_select(s, c, exchanged) ^ sine_sign);
    *cosine = (vec_float4)((vec_uint4)_sm_select(c, s, exchanged) ^ cosine_sign);
}

#endif
