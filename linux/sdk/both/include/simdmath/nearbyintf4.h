/* nearbyintf4: as rintf4. */
#ifndef CELLSTATS_SIMDMATH_NEARBYINTF4_H
#define CELLSTATS_SIMDMATH_NEARBYINTF4_H

#include <simdmath/rintf4.h>

static inline vec_float4 _nearbyintf4(vec_float4 x)
{
    return _rintf4(x);
}

#endif
