/* sinf4: sine, as sincosf4. */
#ifndef CELLSTATS_SIMDMATH_SINF4_H
#define CELLSTATS_SIMDMATH_SINF4_H

#include <simdmath/sincosf4.h>

static inline vec_float4 _sinf4(vec_float4 x)
{
    vec_float4 sine, cosine;

    _sincosf4(x, &sine, &cosine);
    return sine;
}

#endif
