/* frexpf4: returns a fraction of `x` with 1/2 <= |fraction| < 1, and stores n in `*exponent` so that x =
 * fraction 2^n. Zero gives 0 and 0. */
#ifndef CELLSTATS_SIMDMATH_FREXPF4_H
#define CELLSTATS_SIMDMATH_FREXPF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _frexpf4(vec_float4 x, vec_int4 *exponent)
{
    vec_int4 biased = (vec_int4)((vec_uint4)_sm_magnitude(x) >> _SM_UINT(23));
    vec_uint4 is_kept = _sm_equal(biased, _SM_INT(0));
    vec_float4 fraction = (vec_float4)(((vec_uint4)x & _SM_UINT(0x807fffffu)) | _SM_UINT(0x3f000000u));

#ifndef __SPU__
    /* Infinities and NaNs stay as they are. */
    is_kept |= _sm_equal(biased, _SM_INT(255));
#endif
    *exponent = (vec_int4)((vec_uint4)(biased - _SM_INT(126)) & ~is_kept);
    return _sm_select(fraction, x, is_kept);
}

#endif
