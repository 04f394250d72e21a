/* Comparisons and classes of numbers, inline. */
#ifndef CELLSTATS_SIMDMATH_QUESTIONS_H
#define CELLSTATS_SIMDMATH_QUESTIONS_H

#include <simdmath/_vector.h>

/* is0denormf4: ones in the elements that are zero or denormal. */
static inline vec_uint4 _is0denormf4(vec_float4 x)
{
    return _sm_greater(_SM_UINT(0x00800000u), (vec_uint4)_sm_magnitude(x));
}

/* isequalf4: ones where x = y. */
static inline vec_uint4 _isequalf4(vec_float4 x, vec_float4 y)
{
    return _sm_equal(x, y);
}

/* isinff4: ones in the elements that are infinite. The SPU has none. */
static inline vec_uint4 _isinff4(vec_float4 x)
{
#ifdef __SPU__
    (void)x;
    return _SM_UINT(0);
#else
    return _sm_equal(_sm_magnitude(x), (vec_float4)_SM_UINT(_SM_HUGE));
#endif
}

/* isnanf4: ones in the elements that are no numbers. The SPU has none. */
static inline vec_uint4 _isnanf4(vec_float4 x)
{
#ifdef __SPU__
    (void)x;
    return _SM_UINT(0);
#else
    return ~_sm_equal(x, x);
#endif
}

/* isfinitef4: ones in the elements that are neither infinite nor NaN. */
static inline vec_uint4 _isfinitef4(vec_float4 x)
{
    return ~(_isnanf4(x) | _isinff4(x));
}

/* isgreaterequalf4: ones where x >= y. */
static inline vec_uint4 _isgreaterequalf4(vec_float4 x, vec_float4 y)
{
    return _sm_greater(x, y) | _sm_equal(x, y);
}

/* isgreaterf4: ones where x > y. */
static inline vec_uint4 _isgreaterf4(vec_float4 x, vec_float4 y)
{
    return _sm_greater(x, y);
}

/* islessequalf4: ones where x <= y. */
static inline vec_uint4 _islessequalf4(vec_float4 x, vec_float4 y)
{
    return _sm_greater(y, x) | _sm_equal(x, y);
}

/* islessf4: ones where x < y. */
static inline vec_uint4 _islessf4(vec_float4 x, vec_float4 y)
{
    return _sm_greater(y, x);
}

/* isnormalf4: ones in the elements that are neither zero, denormal, infinite nor NaN. */
static inline vec_uint4 _isnormalf4(vec_float4 x)
{
    return _isfinitef4(x) & ~_is0denormf4(x);
}

/* signbitf4: ones in the elements whose sign is negative, -0 included. */
static inline vec_uint4 _signbitf4(vec_float4 x)
{
    return _sm_greater(_SM_INT(0), (vec_int4)x);
}

#endif
