/* signbitf4: ones in the elements whose sign is negative, -0 included. */
#ifndef CELLSTATS_SIMDMATH_SIGNBITF4_H
#define CELLSTATS_SIMDMATH_SIGNBITF4_H

#include <simdmath/_vector.h>

static inline vec_uint4 _signbitf4(vec_float4 x)
{
    return _sm_greater(_SM_INT(0), (vec_int4)x);
}

#endif
