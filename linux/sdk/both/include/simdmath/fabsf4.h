/* fabsf4: magnitude. */
#ifndef CELLSTATS_SIMDMATH_FABSF4_H
#define CELLSTATS_SIMDMATH_FABSF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _fabsf4(vec_float4 x)
{
    return _sm_magnitude(x);
}

#endif
