/* Rounding and limits of double precision in <simdmath.h>: newlib's functions, one element after the other. */
#include <math.h>
#include <simdmath.h>

vec_double2 floord2(vec_double2 x)
{
    return (vec_double2){floor(x[0]), floor(x[1])};
}

vec_double2 ceild2(vec_double2 x)
{
    return (vec_double2){ceil(x[0]), ceil(x[1])};
}

vec_double2 truncd2(vec_double2 x)
{
    return (vec_double2){trunc(x[0]), trunc(x[1])};
}

vec_double2 roundd2(vec_double2 x)
{
    return (vec_double2){round(x[0]), round(x[1])};
}

vec_double2 fmaxd2(vec_double2 x, vec_double2 y)
{
    return (vec_double2){fmax(x[0], y[0]), fmax(x[1], y[1])};
}

vec_double2 fmind2(vec_double2 x, vec_double2 y)
{
    return (vec_double2){fmin(x[0], y[0]), fmin(x[1], y[1])};
}

vec_double2 fmodd2(vec_double2 x, vec_double2 y)
{
    return (vec_double2){fmod(x[0], y[0]), fmod(x[1], y[1])};
}
