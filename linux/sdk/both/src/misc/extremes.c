/* Functions on numbers and vectors, whose inline forms are in libmisc_inline.h. */
#include <libmisc.h>
#include <libmisc_inline.h>

#define OF_ONE(result, name, argument) \
    result name(argument x)            \
    {                                  \
        return _##name(x);             \
    }
#define OF_TWO(type, name)                        \
    __vector type name(__vector type a, __vector type b) \
    {                                             \
        return _##name(a, b);                     \
    }

OF_ONE(float, clamp_0_to_1, float)
OF_ONE(float, clamp_minus1_to_1, float)
OF_ONE(__vector float, clamp_0_to_1_v, __vector float)
OF_ONE(__vector float, clamp_minus1_to_1_v, __vector float)

OF_TWO(float, max_float_v)
OF_TWO(float, min_float_v)
OF_TWO(signed int, max_int_v)
OF_TWO(signed int, min_int_v)

OF_ONE(float, max_vec_float3, __vector float)
OF_ONE(float, max_vec_float4, __vector float)
OF_ONE(float, min_vec_float3, __vector float)
OF_ONE(float, min_vec_float4, __vector float)
OF_ONE(int, max_vec_int3, __vector signed int)
OF_ONE(int, max_vec_int4, __vector signed int)
OF_ONE(int, min_vec_int3, __vector signed int)
OF_ONE(int, min_vec_int4, __vector signed int)
