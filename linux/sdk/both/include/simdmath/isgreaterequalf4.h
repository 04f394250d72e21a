/* isgreaterequalf4: ones where x >= y. */
#ifndef CELLSTATS_SIMDMATH_ISGREATEREQUALF4_H
#define CELLSTATS_SIMDMATH_ISGREATEREQUALF4_H

#include <simdmath/_vector.h>

static inline vec_uint4 _isgreaterequalf4(vec_float4 x, vec_float4 y)
{
    return _sm_greater(x, y) | _sm_equal(x, y);
}

#endif
