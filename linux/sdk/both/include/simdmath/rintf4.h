/* rintf4: an integer next to `x` in the rounding mode of the side: towards zero on the SPU, nearest on VMX. */
#ifndef CELLSTATS_SIMDMATH_RINTF4_H
#define CELLSTATS_SIMDMATH_RINTF4_H

#include <simdmath/truncf4.h>

static inline vec_float4 _rintf4(vec_float4 x)
{
#ifdef __SPU__
    return _truncf4(x);
#else
    return vec_round(x);
#endif
}

#endif
