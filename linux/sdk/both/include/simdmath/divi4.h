/* divi4: quotient, rounded towards zero, and remainder of signed integers. */
#ifndef CELLSTATS_SIMDMATH_DIVI4_H
#define CELLSTATS_SIMDMATH_DIVI4_H

#include <simdmath/_vector.h>

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

#endif
