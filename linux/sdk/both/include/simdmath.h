/* The SIMD Math Library of the Cell SDK: functions of <math.h> on vectors. Link with -lsimdmath.
 *
 * This is CellStats' own implementation of the published interface. <simdmath/NAME.h> has each function inline,
 * by the name _NAME. simdmath/_*.h say its accuracy in ulp (units in the last place of the exact result), and
 * _vector.h how the two sides differ.
 */
#ifndef CELLSTATS_SIMDMATH_H
#define CELLSTATS_SIMDMATH_H

#include <simdmath/_integers.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Signs, rounding and the parts of a number. */
vec_float4 fabsf4(vec_float4 x);
vec_float4 negatef4(vec_float4 x);
vec_float4 copysignf4(vec_float4 x, vec_float4 y);
vec_float4 floorf4(vec_float4 x);
vec_float4 ceilf4(vec_float4 x);
vec_float4 truncf4(vec_float4 x);
vec_float4 roundf4(vec_float4 x);
vec_float4 rintf4(vec_float4 x);
vec_float4 nearbyintf4(vec_float4 x);
vec_int4 iroundf4(vec_float4 x);
vec_int4 irintf4(vec_float4 x);
vec_float4 modff4(vec_float4 x, vec_float4 *integer);
vec_float4 frexpf4(vec_float4 x, vec_int4 *exponent);
vec_float4 ldexpf4(vec_float4 x, vec_int4 n);
vec_float4 scalbnf4(vec_float4 x, vec_int4 n);
vec_int4 ilogbf4(vec_float4 x);
vec_float4 logbf4(vec_float4 x);

/* Arithmetic. */
vec_float4 fmaf4(vec_float4 x, vec_float4 y, vec_float4 z);
vec_float4 fmaxf4(vec_float4 x, vec_float4 y);
vec_float4 fminf4(vec_float4 x, vec_float4 y);
vec_float4 fdimf4(vec_float4 x, vec_float4 y);
vec_float4 divf4(vec_float4 x, vec_float4 y);
vec_float4 recipf4(vec_float4 x);
vec_float4 fmodf4(vec_float4 x, vec_float4 y);
vec_float4 sqrtf4(vec_float4 x);
vec_float4 rsqrtf4(vec_float4 x);
vec_float4 cbrtf4(vec_float4 x);
vec_float4 hypotf4(vec_float4 x, vec_float4 y);

/* The same with less accuracy, for normal numbers. */
vec_float4 divf4_fast(vec_float4 x, vec_float4 y);
vec_float4 recipf4_fast(vec_float4 x);
vec_float4 sqrtf4_fast(vec_float4 x);
vec_float4 rsqrtf4_fast(vec_float4 x);

/* Powers and logarithms. */
vec_float4 expf4(vec_float4 x);
vec_float4 exp2f4(vec_float4 x);
vec_float4 expm1f4(vec_float4 x);
vec_float4 logf4(vec_float4 x);
vec_float4 log2f4(vec_float4 x);
vec_float4 log10f4(vec_float4 x);
vec_float4 log1pf4(vec_float4 x);
vec_float4 powf4(vec_float4 x, vec_float4 y);
vec_float4 sinhf4(vec_float4 x);
vec_float4 coshf4(vec_float4 x);
vec_float4 tanhf4(vec_float4 x);

/* Angles, in radians. */
vec_float4 sinf4(vec_float4 x);
vec_float4 cosf4(vec_float4 x);
vec_float4 tanf4(vec_float4 x);
void sincosf4(vec_float4 x, vec_float4 *sine, vec_float4 *cosine);
vec_float4 asinf4(vec_float4 x);
vec_float4 acosf4(vec_float4 x);
vec_float4 atanf4(vec_float4 x);
vec_float4 atan2f4(vec_float4 y, vec_float4 x);

/* Questions: ones in each element for which the answer is yes. */
vec_uint4 signbitf4(vec_float4 x);
vec_uint4 isnanf4(vec_float4 x);
vec_uint4 isinff4(vec_float4 x);
vec_uint4 isfinitef4(vec_float4 x);
vec_uint4 isnormalf4(vec_float4 x);
vec_uint4 is0denormf4(vec_float4 x);
vec_uint4 isequalf4(vec_float4 x, vec_float4 y);
vec_uint4 isgreaterf4(vec_float4 x, vec_float4 y);
vec_uint4 isgreaterequalf4(vec_float4 x, vec_float4 y);
vec_uint4 islessf4(vec_float4 x, vec_float4 y);
vec_uint4 islessequalf4(vec_float4 x, vec_float4 y);

/* Integers. */
vec_int4 absi4(vec_int4 x);
vec_int4 negatei4(vec_int4 x);
divi4_t divi4(vec_int4 x, vec_int4 y);
divu4_t divu4(vec_uint4 x, vec_uint4 y);

/* Double precision and integers of 64 bits, which VMX does not have. */
#ifdef __SPU__
#include <simdmath/llroundf4.h>

llroundf4_t llroundf4(vec_float4 x);
llroundf4_t llrintf4(vec_float4 x);

vec_double2 fabsd2(vec_double2 x);
vec_double2 negated2(vec_double2 x);
vec_double2 floord2(vec_double2 x);
vec_double2 ceild2(vec_double2 x);
vec_double2 truncd2(vec_double2 x);
vec_double2 roundd2(vec_double2 x);
vec_double2 rintd2(vec_double2 x);
vec_double2 nearbyintd2(vec_double2 x);
vec_double2 recipd2(vec_double2 x);
vec_double2 sqrtd2(vec_double2 x);
vec_double2 rsqrtd2(vec_double2 x);
vec_double2 copysignd2(vec_double2 x, vec_double2 y);
vec_double2 divd2(vec_double2 x, vec_double2 y);
vec_double2 fmaxd2(vec_double2 x, vec_double2 y);
vec_double2 fmind2(vec_double2 x, vec_double2 y);
vec_double2 fmad2(vec_double2 x, vec_double2 y, vec_double2 z);
/* The integer part, and the exponent as frexpf4 defines it: one integer of 64 bits for each element. */
vec_double2 modfd2(vec_double2 x, vec_double2 *integer);
vec_double2 frexpd2(vec_double2 x, vec_llong2 *exponent);
vec_double2 ldexpd2(vec_double2 x, vec_llong2 n);

/* These call newlib's functions. Link with -lsimdmath -lm. */
vec_double2 cbrtd2(vec_double2 x);
vec_double2 expd2(vec_double2 x);
vec_double2 exp2d2(vec_double2 x);
vec_double2 logd2(vec_double2 x);
vec_double2 log2d2(vec_double2 x);
vec_double2 log10d2(vec_double2 x);
vec_double2 sind2(vec_double2 x);
vec_double2 cosd2(vec_double2 x);
vec_double2 tand2(vec_double2 x);
vec_double2 asind2(vec_double2 x);
vec_double2 acosd2(vec_double2 x);
vec_double2 atand2(vec_double2 x);
vec_double2 fmodd2(vec_double2 x, vec_double2 y);
vec_double2 powd2(vec_double2 x, vec_double2 y);
vec_double2 atan2d2(vec_double2 y, vec_double2 x);
void sincosd2(vec_double2 x, vec_double2 *sine, vec_double2 *cosine);
#endif

#ifdef __cplusplus
}
#endif

#endif
