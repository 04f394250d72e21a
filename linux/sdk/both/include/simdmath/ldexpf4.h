/* ldexpf4: x 2^n. A result that is too small is 0; one that is too large is infinite on VMX, and the greatest
 * number on the SPU. */
#ifndef CELLSTATS_SIMDMATH_LDEXPF4_H
#define CELLSTATS_SIMDMATH_LDEXPF4_H

#include <simdmath/_vector.h>

static inline vec_float4 _ldexpf4(vec_float4 x, vec_int4 n)
{
    const vec_int4 zero = _SM_INT(0);
    vec_int4 exponent = (vec_int4)((vec_uint4)_sm_magnitude(x) >> _SM_UINT(23));
#ifdef __SPU__
    const vec_int4 greatest = _SM_INT(255);
#else
    const vec_int4 greatest = _SM_INT(254);
#endif
    vec_uint4 is_zero = _sm_equal(exponent, zero), too_large, too_small;
    vec_float4 result;

    /* A sum of n and the exponent could wrap. */
    too_large = _sm_greater(n, greatest - exponent);
    too_small = _sm_greater(_SM_INT(1) - exponent, n);
    result = _sm_select(_sm_scaled(x, n), _sm_with_sign((vec_float4)_SM_UINT(_SM_HUGE), x), too_large);
    result = _sm_select(result, _sm_with_sign((vec_float4)zero, x), too_small | is_zero);
#ifndef __SPU__
    /* Infinities and NaNs stay as they are. */
    result = _sm_select(result, x, _sm_greater(exponent, greatest));
#endif
    return result;
}

#endif
