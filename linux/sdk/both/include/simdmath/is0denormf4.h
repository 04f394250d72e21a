/* is0denormf4: ones in the elements that are zero or denormal. */
#ifndef CELLSTATS_SIMDMATH_IS0DENORMF4_H
#define CELLSTATS_SIMDMATH_IS0DENORMF4_H

#include <simdmath/_vector.h>

static inline vec_uint4 _is0denormf4(vec_float4 x)
{
    return _sm_greater(_SM_UINT(0x00800000u), (vec_uint4)_sm_magnitude(x));
}

#endif
