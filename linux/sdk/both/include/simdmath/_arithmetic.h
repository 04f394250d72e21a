/* Arithmetic, inline. */
#ifndef CELLSTATS_SIMDMATH_ARITHMETIC_H
#define CELLSTATS_SIMDMATH_ARITHMETIC_H

#include <simdmath/_numbers.h>

/* recipf4: 1 / x, within 1 ulp for |x| up to 2^125. */
static inline vec_float4 _recipf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f);
    vec_float4 estimate = _sm_reciprocal_estimate(x), y = estimate;

    y = _sm_multiply_add(y, _sm_subtract_product(one, x, y), y);
    y = _sm_multiply_add(y, _sm_subtract_product(one, x, y), y);
    return _sm_if_number(y, estimate);
}

/* divf4: x / y, within 1 ulp for |x| from 2^-100 and |y| up to 2^125. The SPU's compiler has a division of its
 * own. */
static inline vec_float4 _divf4(vec_float4 x, vec_float4 y)
{
#ifdef __SPU__
    return x / y;
#else
    vec_float4 reciprocal = _recipf4(y), quotient = _sm_multiply(x, reciprocal);

    return _sm_if_number(_sm_multiply_add(_sm_subtract_product(x, quotient, y), reciprocal, quotient), quotient);
#endif
}

/* fdimf4: x - y, or 0 if this is negative. */
static inline vec_float4 _fdimf4(vec_float4 x, vec_float4 y)
{
    return _sm_select(x - y, _SM_FLOAT(0.0f), _sm_greater(y, x));
}

/* fmaf4: x y + z, rounded once. */
static inline vec_float4 _fmaf4(vec_float4 x, vec_float4 y, vec_float4 z)
{
    return _sm_multiply_add(x, y, z);
}

/* fmaxf4: the greater one of two numbers, and the number if the other one is NaN. */
static inline vec_float4 _fmaxf4(vec_float4 x, vec_float4 y)
{
    vec_float4 a = _sm_if_number(x, y), b = _sm_if_number(y, x);

    return _sm_select(b, a, _sm_greater(a, b));
}

/* fminf4: the smaller one of two numbers, and the number if the other one is NaN. */
static inline vec_float4 _fminf4(vec_float4 x, vec_float4 y)
{
    vec_float4 a = _sm_if_number(x, y), b = _sm_if_number(y, x);

    return _sm_select(b, a, _sm_greater(b, a));
}

/* fmodf4: the remainder of x / y with the sign of `x`, exact where |x / y| < 2^22. */
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

/* sqrtf4: square root, within 2 ulp. A negative number gives NaN on VMX, and no particular number on the
 * SPU. */
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

/* hypotf4: sqrt(x^2 + y^2), within 2 ulp where the squares are neither too large nor denormal. */
static inline vec_float4 _hypotf4(vec_float4 x, vec_float4 y)
{
    return _sqrtf4(_sm_multiply_add(x, x, _sm_multiply(y, y)));
}

/* rsqrtf4: 1 / sqrt(x), within 2 ulp. Newton's method doubles the estimate's 12 bits twice. */
static inline vec_float4 _rsqrtf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f), half = _SM_FLOAT(0.5f);
    vec_float4 estimate = _sm_root_estimate(x), y = estimate;

    y = _sm_multiply_add(_sm_multiply(half, y), _sm_subtract_product(one, _sm_multiply(x, y), y), y);
    y = _sm_multiply_add(_sm_multiply(half, y), _sm_subtract_product(one, _sm_multiply(x, y), y), y);
    return _sm_if_number(y, estimate);
}

#endif
