/* tanf4: tangent, within 6 ulp for |x| up to 10^4. */
#ifndef CELLSTATS_SIMDMATH_TANF4_H
#define CELLSTATS_SIMDMATH_TANF4_H

#include <simdmath/divf4.h>
#include <simdmath/sincosf4.h>

static inline vec_float4 _tanf4(vec_float4 x)
{
    vec_float4 sine, cosine;

    _sincosf4(x, &sine, &cosine);
    return _divf4(sine, cosine);
}

#endif
