/* cosf4: cosine, as sincosf4. */
#ifndef CELLSTATS_SIMDMATH_COSF4_H
#define CELLSTATS_SIMDMATH_COSF4_H

#include <simdmath/sincosf4.h>

static inline vec_float4 _cosf4(vec_float4 x)
{
    vec_float4 sine, cosine;

    _sincosf4(x, &sine, &cosine);
    return cosine;
}

#endif
