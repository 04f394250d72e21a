/* absi4: magnitude of integers. */
#ifndef CELLSTATS_SIMDMATH_ABSI4_H
#define CELLSTATS_SIMDMATH_ABSI4_H

#include <simdmath/_vector.h>

static inline vec_int4 _absi4(vec_int4 x)
{
    return _sm_select(x, -x, _sm_greater(_SM_INT(0), x));
}

#endif
