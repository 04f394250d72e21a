/* Integers, inline. */
#ifndef CELLSTATS_SIMDMATH_INTEGERS_H
#define CELLSTATS_SIMDMATH_INTEGERS_H

#include <simdmath/_vector.h>

/* absi4: magnitude of integers. */
static inline vec_int4 _absi4(vec_int4 x)
{
    return _sm_select(x, -x, _sm_greater(_SM_INT(0), x));
}

/* divi4: quotient, rounded towards zero, and remainder of signed integers. */
#ifndef _DIVI4_T
#define _DIVI4_T
typedef struct {
    vec_int4 quot, rem;
} divi4_t;
#endif

static inline divi4_t _divi4(vec_int4 x, vec_int4 y)
{
    divi4_t result;

    result.quot = x / y;
    result.rem = x - result.quot * y;
    return result;
}

/* divu4: quotient and remainder of unsigned integers. */
#ifndef _DIVU4_T
#define _DIVU4_T
typedef struct {
    vec_uint4 quot, rem;
} divu4_t;
#endif

static inline divu4_t _divu4(vec_uint4 x, vec_uint4 y)
{
    divu4_t result;

    result.quot = x / y;
    result.rem = x - result.quot * y;
    return result;
}

/* negatei4: -x of integers. */
static inline vec_int4 _negatei4(vec_int4 x)
{
    return -x;
}

#endif
