/* Rounding in the current mode, and the parts of a number of double precision, in <simdmath.h>. */
#include <math.h>
#include <simdmath.h>

/* A sum with 2^52 has no bits for a fraction. Each element is rounded in the mode that FPSCR has for it. */
vec_double2 rintd2(vec_double2 x)
{
    const vec_double2 limit = {0x1p52, 0x1p52};
    vec_double2 offset = copysignd2(limit, x), rounded = (x + offset) - offset;

    return (vec_double2){fabs(x[0]) < limit[0] ? rounded[0] : x[0], fabs(x[1]) < limit[1] ? rounded[1] : x[1]};
}

vec_double2 nearbyintd2(vec_double2 x)
{
    return rintd2(x);
}

vec_double2 modfd2(vec_double2 x, vec_double2 *integer)
{
    double first, second;
    vec_double2 fraction = {modf(x[0], &first), modf(x[1], &second)};

    *integer = (vec_double2){first, second};
    return fraction;
}

vec_double2 frexpd2(vec_double2 x, vec_llong2 *exponent)
{
    int first, second;
    vec_double2 fraction = {frexp(x[0], &first), frexp(x[1], &second)};

    *exponent = (vec_llong2){first, second};
    return fraction;
}

vec_double2 ldexpd2(vec_double2 x, vec_llong2 n)
{
    return (vec_double2){ldexp(x[0], (int)n[0]), ldexp(x[1], (int)n[1])};
}
