/* Angles, inline. */
#ifndef CELLSTATS_SIMDMATH_ANGLES_H
#define CELLSTATS_SIMDMATH_ANGLES_H

#include <simdmath/_arithmetic.h>

/* atan2f4: the angle of the point (x, y) from -pi to pi, within 4 ulp. The angle of (0, 0) is 0. */
/* The angle of (x, y) in the first quadrant. The point is turned by a multiple of pi/4, so that the tangent of
 * the rest is at most sqrt(2) - 1. Taylor's series: the first term that is left out is below 2^-27. */
static inline vec_float4 _sm_angle(vec_float4 y, vec_float4 x)
{
    vec_uint4 above_middle = _sm_greater(y, _sm_multiply(x, _SM_FLOAT(0x1.a82798p-2f)));
    vec_uint4 steep = _sm_greater(y, _sm_multiply(x, _SM_FLOAT(0x1.3504f2p1f)));
    vec_float4 rise = _sm_select(_sm_select(y, y - x, above_middle), -x, steep);
    vec_float4 run = _sm_select(_sm_select(x, y + x, above_middle), y, steep);
    vec_float4 turned = (vec_float4)((vec_uint4)_SM_FLOAT(0x1.921fb6p-1f) & above_middle);
    vec_float4 lost = _SM_FLOAT(-0x1.777a5cp-26f), tangent, square, sum = _SM_FLOAT(1.0f / 17);

    turned = _sm_select(turned, _SM_FLOAT(0x1.921fb6p0f), steep);
    lost = (vec_float4)((vec_uint4)_sm_select(lost, lost + lost, steep) & above_middle);
    tangent = _divf4(rise, run);
    square = _sm_multiply(tangent, tangent);
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(-1.0f / 15));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(1.0f / 13));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(-1.0f / 11));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(1.0f / 9));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(-1.0f / 7));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(1.0f / 5));
    sum = _sm_multiply_add(sum, square, _SM_FLOAT(-1.0f / 3));
    sum = _sm_multiply_add(sum, _sm_multiply(square, tangent), lost);
    return turned + (tangent + sum);
}

static inline vec_float4 _atan2f4(vec_float4 y, vec_float4 x)
{
    const vec_float4 zero = _SM_FLOAT(0.0f);
    vec_float4 angle = _sm_angle(_sm_magnitude(y), _sm_magnitude(x));

    angle = _sm_select(angle, zero, _sm_equal(y, zero));
    angle = _sm_select(angle, _SM_FLOAT(0x1.921fb6p1f) - angle, _sm_greater(zero, x));
    return _sm_with_sign(angle, y);
}

/* acosf4: arc cosine, within 5 ulp: the angle of the point (x, sqrt(1 - x^2)). */
static inline vec_float4 _acosf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f);

    return _atan2f4(_sqrtf4(_sm_multiply(one - x, one + x)), x);
}

/* asinf4: arc sine, within 5 ulp: the angle of the point (sqrt(1 - x^2), x). */
static inline vec_float4 _asinf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f);

    return _atan2f4(x, _sqrtf4(_sm_multiply(one - x, one + x)));
}

/* atanf4: arc tangent, within 4 ulp. */
static inline vec_float4 _atanf4(vec_float4 x)
{
    return _atan2f4(x, _SM_FLOAT(1.0f));
}

/* sincosf4: sine and cosine at once, in radians, within 3 ulp or 2^-24, for |x| up to 10^4. */
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

/* cosf4: cosine, as sincosf4. */
static inline vec_float4 _cosf4(vec_float4 x)
{
    vec_float4 sine, cosine;

    _sincosf4(x, &sine, &cosine);
    return cosine;
}

/* sinf4: sine, as sincosf4. */
static inline vec_float4 _sinf4(vec_float4 x)
{
    vec_float4 sine, cosine;

    _sincosf4(x, &sine, &cosine);
    return sine;
}

/* tanf4: tangent, within 6 ulp for |x| up to 10^4. */
static inline vec_float4 _tanf4(vec_float4 x)
{
    vec_float4 sine, cosine;

    _sincosf4(x, &sine, &cosine);
    return _divf4(sine, cosine);
}

#endif
