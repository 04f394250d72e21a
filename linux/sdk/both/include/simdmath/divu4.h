/* divu4: quotient and remainder of unsigned integers. */
#ifndef CELLSTATS_SIMDMATH_DIVU4_H
#define CELLSTATS_SIMDMATH_DIVU4_H

#include <simdmath/_vector.h>

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

#endif
