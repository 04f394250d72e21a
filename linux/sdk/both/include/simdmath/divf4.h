/* divf4: x / y, within 1 ulp for |x| from 2^-100 and |y| up to 2^125. The SPU's compiler has a division of its
 * own. */
#ifndef CELLSTATS_SIMDMATH_DIVF4_H
#define CELLSTATS_SIMDMATH_DIVF4_H

#include <simdmath/recipf4.h>

static inline vec_float4 _divf4(vec_float4 x, vec_float4 y)
{
#ifdef __SPU__
    return x / y;
#else
    vec_float4 reciprocal = _recipf4(y), quotient = _sm_multiply(x, reciprocal);

    return _sm_if_number(_sm_multiply_add(_sm_subtract_product(x, quotient, y), reciprocal, quotient), quotient);
#endif
}

#endif
