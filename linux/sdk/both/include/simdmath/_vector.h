/* The operations from which all functions of <simdmath.h> are made, with the instructions of either side.
 *
 * The SPU truncates results of single precision, has neither infinities nor NaNs, and uses the largest exponent
 * for numbers up to 2^129. VMX rounds to the nearest number by IEEE 754. Both replace denormal numbers by zero.
 * A comparison gives all ones or all zeros in each element, and `_sm_select(a, b, mask)` takes b where the mask
 * has ones.
 */
#ifndef CELLSTATS_SIMDMATH_VECTOR_H
#define CELLSTATS_SIMDMATH_VECTOR_H

#ifdef __SPU__
#include <spu_intrinsics.h>

#define _sm_multiply_add(a, b, c) spu_madd(a, b, c)            /* a b + c */
#define _sm_subtract_product(c, a, b) spu_nmsub(a, b, c)       /* c - a b */
#define _sm_select(a, b, mask) spu_sel(a, b, mask)
#define _sm_greater(a, b) spu_cmpgt(a, b)
#define _sm_equal(a, b) spu_cmpeq(a, b)
#define _sm_truncated(x) spu_convts(x, 0)
#define _sm_float(i) spu_convtf(i, 0)
#define _sm_reciprocal_estimate(x) spu_re(x)
#define _sm_root_estimate(x) spu_rsqrte(x)
/* The SPU has no NaNs, so each number is the refined one. */
#define _sm_if_number(refined, estimate) (refined)
#define _SM_HUGE 0x7fffffffu
/* exp2f4 of this exponent, and of greater ones, has the largest result. */
#define _SM_EXPONENT_LIMIT 129.0f
#else
#include <altivec.h>
#include <vec_types.h>

#define _sm_multiply_add(a, b, c) vec_madd(a, b, c)
#define _sm_subtract_product(c, a, b) vec_nmsub(a, b, c)
#define _sm_select(a, b, mask) vec_sel(a, b, mask)
#define _sm_greater(a, b) ((vec_uint4)vec_cmpgt(a, b))
#define _sm_equal(a, b) ((vec_uint4)vec_cmpeq(a, b))
#define _sm_truncated(x) vec_cts(x, 0)
#define _sm_float(i) vec_ctf(i, 0)
#define _sm_reciprocal_estimate(x) vec_re(x)
#define _sm_root_estimate(x) vec_rsqrte(x)
/* Refining an estimate of 0 or infinity gives NaN; the estimate itself is right. */
#define _sm_if_number(refined, estimate) _sm_select(estimate, refined, _sm_equal(refined, refined))
#define _SM_HUGE 0x7f800000u
#define _SM_EXPONENT_LIMIT 128.0f
#endif

/* Vectors of one number. */
#define _SM_FLOAT(x) ((vec_float4){(x), (x), (x), (x)})
#define _SM_INT(x) ((vec_int4){(x), (x), (x), (x)})
#define _SM_UINT(x) ((vec_uint4){(x), (x), (x), (x)})

#define _SM_SIGN _SM_UINT(0x80000000u)

static inline vec_float4 _sm_multiply(vec_float4 a, vec_float4 b)
{
    return a * b;
}

static inline vec_float4 _sm_magnitude(vec_float4 x)
{
    return (vec_float4)((vec_uint4)x & ~_SM_SIGN);
}

/* The magnitude of `x` with the sign of `sign`. */
static inline vec_float4 _sm_with_sign(vec_float4 x, vec_float4 sign)
{
    return (vec_float4)(((vec_uint4)x & ~_SM_SIGN) | ((vec_uint4)sign & _SM_SIGN));
}

/* The nearest integer, for |x| < 2^22. */
static inline vec_int4 _sm_nearest(vec_float4 x)
{
    return _sm_truncated(x + _sm_with_sign(_SM_FLOAT(0.5f), x));
}

/* x 2^n where neither x nor the result is zero, denormal or infinite. */
static inline vec_float4 _sm_scaled(vec_float4 x, vec_int4 n)
{
    return (vec_float4)((vec_int4)x + n * _SM_INT(1 << 23));
}

#endif
