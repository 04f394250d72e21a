/* scalbnf4: x 2^n, as ldexpf4. */
#ifndef CELLSTATS_SIMDMATH_SCALBNF4_H
#define CELLSTATS_SIMDMATH_SCALBNF4_H

#include <simdmath/ldexpf4.h>

static inline vec_float4 _scalbnf4(vec_float4 x, vec_int4 n)
{
    return _ldexpf4(x, n);
}

#endif
