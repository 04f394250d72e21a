/* negatei4: -x of integers. */
#ifndef CELLSTATS_SIMDMATH_NEGATEI4_H
#define CELLSTATS_SIMDMATH_NEGATEI4_H

#include <simdmath/_vector.h>

static inline vec_int4 _negatei4(vec_int4 x)
{
    return -x;
}

#endif
