/* Arithmetic of double precision in <simdmath.h>. Division is the compiler's, and roots are newlib's. */
#include <math.h>
#include <simdmath.h>

static const vec_ullong2 sign = {0x8000000000000000ULL, 0x8000000000000000ULL};
static const vec_double2 one = {1.0, 1.0};

vec_double2 fabsd2(vec_double2 x)
{
    return (vec_double2)((vec_ullong2)x & ~sign);
}

vec_double2 negated2(vec_double2 x)
{
    return (vec_double2)((vec_ullong2)x ^ sign);
}

vec_double2 copysignd2(vec_double2 x, vec_double2 y)
{
    return (vec_double2)(((vec_ullong2)x & ~sign) | ((vec_ullong2)y & sign));
}

vec_double2 fmad2(vec_double2 x, vec_double2 y, vec_double2 z)
{
    return spu_madd(x, y, z);
}

vec_double2 divd2(vec_double2 x, vec_double2 y)
{
    return x / y;
}

vec_double2 recipd2(vec_double2 x)
{
    return one / x;
}

vec_double2 sqrtd2(vec_double2 x)
{
    return (vec_double2){sqrt(x[0]), sqrt(x[1])};
}

vec_double2 rsqrtd2(vec_double2 x)
{
    return one / sqrtd2(x);
}
