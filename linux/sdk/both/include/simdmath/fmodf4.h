/* fmodf4: the remainder of x / y with the sign of `x`, exact where |x / y| < 2^22. */
#ifndef CELLSTATS_SIMDMATH_FMODF4_H
#define CELLSTATS_SIMDMATH_FMODF4_H

#include <simdmath/divf4.h>
#include <simdmath/truncf4.h>

static inline vec_float4 _fmodf4(vec_float4 x, vec_float4 y)
{
    const vec_float4 zero = _SM_FLOAT(0.0f);
    vec_float4 dividend = _sm_magnitude(x), divisor = _sm_magnitude(y);
    vec_float4 rest = _sm_subtract_product(dividend, _truncf4(_divf4(dividend, divisor)), divisor);

    /* The rounded quotient may be one too large or too small. */
    rest = _sm_select(rest, rest + divisor, _sm_greater(zero, rest));
    rest = _sm_select(rest - divisor, rest, _sm_greater(divisor, rest));
    return _sm_with_sign(rest, x);
}

#endif
