/* The functions of <libmisc.h> on numbers and vectors, inline, by their names with an underscore in front. */
#ifndef CELLSTATS_LIBMISC_INLINE_H
#define CELLSTATS_LIBMISC_INLINE_H

#ifdef __SPU__
#include <spu_intrinsics.h>

#define _misc_max(a, b) spu_sel(b, a, spu_cmpgt(a, b))
#define _misc_min(a, b) spu_sel(a, b, spu_cmpgt(a, b))
#else
#include <altivec.h>

#define _misc_max(a, b) vec_max(a, b)
#define _misc_min(a, b) vec_min(a, b)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The greater and the smaller one of each two elements. */
static __inline__ __vector float _max_float_v(__vector float a, __vector float b)
{
    return _misc_max(a, b);
}

static __inline__ __vector float _min_float_v(__vector float a, __vector float b)
{
    return _misc_min(a, b);
}

static __inline__ __vector signed int _max_int_v(__vector signed int a, __vector signed int b)
{
    return _misc_max(a, b);
}

static __inline__ __vector signed int _min_int_v(__vector signed int a, __vector signed int b)
{
    return _misc_min(a, b);
}

/* The greatest and the smallest one of a vector's first three elements, or of all four. */
#define _MISC_ACROSS(name, better, type)                            \
    static __inline__ type _##name##3(__vector type data)           \
    {                                                               \
        type best = data[1] better data[0] ? data[1] : data[0];     \
                                                                    \
        return data[2] better best ? data[2] : best;                \
    }                                                               \
                                                                    \
    static __inline__ type _##name##4(__vector type data)           \
    {                                                               \
        type best = _##name##3(data);                               \
                                                                    \
        return data[3] better best ? data[3] : best;                \
    }

_MISC_ACROSS(max_vec_float, >, float)
_MISC_ACROSS(min_vec_float, <, float)
_MISC_ACROSS(max_vec_int, >, int)
_MISC_ACROSS(min_vec_int, <, int)

/* The number of the range that is nearest to the argument. */
static __inline__ __vector float _clamp_0_to_1_v(__vector float x)
{
    __vector float zero = {0.0f, 0.0f, 0.0f, 0.0f}, one = {1.0f, 1.0f, 1.0f, 1.0f};

    return _min_float_v(_max_float_v(x, zero), one);
}

static __inline__ __vector float _clamp_minus1_to_1_v(__vector float x)
{
    __vector float one = {1.0f, 1.0f, 1.0f, 1.0f};

    return _min_float_v(_max_float_v(x, -one), one);
}

static __inline__ float _clamp_0_to_1(float x)
{
    return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

static __inline__ float _clamp_minus1_to_1(float x)
{
    return x < -1.0f ? -1.0f : x > 1.0f ? 1.0f : x;
}

#ifdef __cplusplus
}
#endif

#endif
