/* atanf4: arc tangent, within 4 ulp. */
#ifndef CELLSTATS_SIMDMATH_ATANF4_H
#define CELLSTATS_SIMDMATH_ATANF4_H

#include <simdmath/atan2f4.h>

static inline vec_float4 _atanf4(vec_float4 x)
{
    return _atan2f4(x, _SM_FLOAT(1.0f));
}

#endif
