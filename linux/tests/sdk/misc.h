/* Limits and extremes of <libmisc.h>, inline and as functions, against scalar ones, on either side. */
#include <clamp_0_to_1.h>
#include <clamp_0_to_1_v.h>
#include <clamp_minus1_to_1.h>
#include <clamp_minus1_to_1_v.h>
#include <libmisc.h>
#include <max_float_v.h>
#include <max_int_v.h>
#include <max_vec_float3.h>
#include <max_vec_float4.h>
#include <max_vec_int3.h>
#include <max_vec_int4.h>
#include <min_float_v.h>
#include <min_int_v.h>
#include <min_vec_float3.h>
#include <min_vec_float4.h>
#include <min_vec_int3.h>
#include <min_vec_int4.h>

#define CHECK(condition) \
    do {                 \
        if (!(condition)) \
            return __LINE__; \
    } while (0)
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define WITHIN(low, x) SMALLER(GREATER(x, low), 1.0f)
#define ACROSS3(of, v) of(of((v)[0], (v)[1]), (v)[2])
#define ACROSS4(of, v) of(ACROSS3(of, v), (v)[3])
#define BOTH(name, arguments, expected) CHECK(name arguments == (expected) && _##name arguments == (expected))

/* Returns the line of a check that failed, or 0. */
static int limits_and_extremes(void)
{
    static const float reals[] = {-2.5f, -1.0f, -0.25f, 0.0f, 0.75f, 1.0f, 7.0f};
    static const int whole[] = {-2147483647, -9, -1, 0, 1, 8, 2147483647};
    unsigned int n, element;

    for (n = 0; n < 7 * 7 * 7 * 7; n++) {
        unsigned int a = n % 7, b = n / 7 % 7, c = n / 49 % 7, d = n / 343;
        __vector float real = {reals[a], reals[b], reals[c], reals[d]};
        __vector float other = {reals[d], reals[a], reals[b], reals[c]};
        __vector signed int integer = {whole[a], whole[b], whole[c], whole[d]};
        __vector signed int another = {whole[d], whole[a], whole[b], whole[c]};

        BOTH(max_vec_float3, (real), ACROSS3(GREATER, real));
        BOTH(max_vec_float4, (real), ACROSS4(GREATER, real));
        BOTH(min_vec_float3, (real), ACROSS3(SMALLER, real));
        BOTH(min_vec_float4, (real), ACROSS4(SMALLER, real));
        BOTH(max_vec_int3, (integer), ACROSS3(GREATER, integer));
        BOTH(max_vec_int4, (integer), ACROSS4(GREATER, integer));
        BOTH(min_vec_int3, (integer), ACROSS3(SMALLER, integer));
        BOTH(min_vec_int4, (integer), ACROSS4(SMALLER, integer));
        BOTH(clamp_0_to_1, (real[0]), WITHIN(0.0f, real[0]));
        BOTH(clamp_minus1_to_1, (real[0]), WITHIN(-1.0f, real[0]));
        for (element = 0; element < 4; element++) {
            BOTH(max_float_v, (real, other)[element], GREATER(real[element], other[element]));
            BOTH(min_float_v, (real, other)[element], SMALLER(real[element], other[element]));
            BOTH(max_int_v, (integer, another)[element], GREATER(integer[element], another[element]));
            BOTH(min_int_v, (integer, another)[element], SMALLER(integer[element], another[element]));
            BOTH(clamp_0_to_1_v, (real)[element], WITHIN(0.0f, real[element]));
            BOTH(clamp_minus1_to_1_v, (real)[element], WITHIN(-1.0f, real[element]));
        }
    }
    return 0;
}
