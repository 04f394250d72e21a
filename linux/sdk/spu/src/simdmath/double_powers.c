/* Powers, logarithms and remainders of double precision in <simdmath.h>: newlib's functions, one element after
 * the other. */
#include <math.h>
#include <simdmath.h>

vec_double2 expd2(vec_double2 x)
{
    return (vec_double2){exp(x[0]), exp(x[1])};
}

vec_double2 exp2d2(vec_double2 x)
{
    return (vec_double2){exp2(x[0]), exp2(x[1])};
}

vec_double2 logd2(vec_double2 x)
{
    return (vec_double2){log(x[0]), log(x[1])};
}

vec_double2 log2d2(vec_double2 x)
{
    return (vec_double2){log2(x[0]), log2(x[1])};
}

vec_double2 log10d2(vec_double2 x)
{
    return (vec_double2){log10(x[0]), log10(x[1])};
}

vec_double2 cbrtd2(vec_double2 x)
{
    return (vec_double2){cbrt(x[0]), cbrt(x[1])};
}

vec_double2 powd2(vec_double2 x, vec_double2 y)
{
    return (vec_double2){pow(x[0], y[0]), pow(x[1], y[1])};
}

vec_double2 fmodd2(vec_double2 x, vec_double2 y)
{
    return (vec_double2){fmod(x[0], y[0]), fmod(x[1], y[1])};
}
