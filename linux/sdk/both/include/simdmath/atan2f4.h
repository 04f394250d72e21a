/* atan2f4: the angle of the point (x, y) from -pi to pi, within 4 ulp. The angle of (0, 0) is 0. */
#ifndef CELLSTATS_SIMDMATH_ATAN2F4_H
#define CELLSTATS_SIMDMATH_ATAN2F4_H

#include <simdmath/divf4.h>

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

#endif
