/* irintf4: rintf4 as an integer. */
#ifndef CELLSTATS_SIMDMATH_IRINTF4_H
#define CELLSTATS_SIMDMATH_IRINTF4_H

#include <simdmath/rintf4.h>

static inline vec_int4 _irintf4(vec_float4 x)
{
    return _sm_truncated(_rintf4(x));
}

#endif
