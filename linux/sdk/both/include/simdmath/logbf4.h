/* logbf4: the exponent of `x` as a number, as ilogbf4. */
#ifndef CELLSTATS_SIMDMATH_LOGBF4_H
#define CELLSTATS_SIMDMATH_LOGBF4_H

#include <simdmath/ilogbf4.h>

static inline vec_float4 _logbf4(vec_float4 x)
{
    return _sm_float(_ilogbf4(x));
}

#endif
