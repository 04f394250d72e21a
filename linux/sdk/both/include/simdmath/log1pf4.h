/* log1pf4: ln(1 + x), within 4 ulp. Where 1 + x is rounded, its rounding error divided by 1 + x corrects the
 * logarithm. */
#ifndef CELLSTATS_SIMDMATH_LOG1PF4_H
#define CELLSTATS_SIMDMATH_LOG1PF4_H

#include <simdmath/logf4.h>

static inline vec_float4 _log1pf4(vec_float4 x)
{
    const vec_float4 one = _SM_FLOAT(1.0f);
    vec_float4 sum = x + one, small = x - _sm_logarithm_correction(x), lost = x - (sum - one);
    vec_float4 logarithm = _logf4(sum) + _divf4(lost, sum);

    logarithm = _sm_select(logarithm, small, _sm_greater(_SM_FLOAT(0.29f), _sm_magnitude(x)));
    return _sm_select(logarithm, _logf4(sum), _sm_greater(x, _SM_FLOAT(16777216.0f)));
}

#endif
