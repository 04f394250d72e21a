/* isgreaterf4: ones where x > y. */
#ifndef CELLSTATS_SIMDMATH_ISGREATERF4_H
#define CELLSTATS_SIMDMATH_ISGREATERF4_H

#include <simdmath/_vector.h>

static inline vec_uint4 _isgreaterf4(vec_float4 x, vec_float4 y)
{
    return _sm_greater(x, y);
}

#endif
