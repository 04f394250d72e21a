/* ilogbf4: the exponent of `x`, so that 1 <= |x| 2^-n < 2. Zero gives the most negative integer. */
#ifndef CELLSTATS_SIMDMATH_ILOGBF4_H
#define CELLSTATS_SIMDMATH_ILOGBF4_H

#include <simdmath/_vector.h>

static inline vec_int4 _ilogbf4(vec_float4 x)
{
    vec_int4 biased = (vec_int4)((vec_uint4)_sm_magnitude(x) >> _SM_UINT(23));

    return _sm_select(biased - _SM_INT(127), (vec_int4)_SM_SIGN, _sm_equal(biased, _SM_INT(0)));
}

#endif
