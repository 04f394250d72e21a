/* iroundf4: the nearest integer as an integer; halves are rounded away from zero. */
#ifndef CELLSTATS_SIMDMATH_IROUNDF4_H
#define CELLSTATS_SIMDMATH_IROUNDF4_H

#include <simdmath/roundf4.h>

static inline vec_int4 _iroundf4(vec_float4 x)
{
    return _sm_truncated(_roundf4(x));
}

#endif
