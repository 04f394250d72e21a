/* llroundf4 and llrintf4: roundf4 and rintf4 as integers of 64 bits, two in each of two vectors. A number
 * beyond their range gives the nearest one of them. */
#ifndef CELLSTATS_SIMDMATH_LLROUNDF4_H
#define CELLSTATS_SIMDMATH_LLROUNDF4_H

#include <simdmath/_numbers.h>

#ifndef _LLROUNDF4_T
#define _LLROUNDF4_T
typedef struct {
    vec_llong2 vll[2];
} llroundf4_t;
#endif

static inline long long _sm_long_integer(float x)
{
    const long long largest = 0x7fffffffffffffffLL;

    if (x >= 0x1p63f)
        return largest;
    return x < -0x1p63f ? -largest - 1 : (long long)x;
}

static inline llroundf4_t _sm_long_integers(vec_float4 x)
{
    llroundf4_t result;

    result.vll[0] = (vec_llong2){_sm_long_integer(x[0]), _sm_long_integer(x[1])};
    result.vll[1] = (vec_llong2){_sm_long_integer(x[2]), _sm_long_integer(x[3])};
    return result;
}

static inline llroundf4_t _llroundf4(vec_float4 x)
{
    return _sm_long_integers(_roundf4(x));
}

static inline llroundf4_t _llrintf4(vec_float4 x)
{
    return _sm_long_integers(_rintf4(x));
}

#endif
