/* Angles in double precision in <simdmath.h>: newlib's functions, one element after the other. */
#include <math.h>
#include <simdmath.h>

vec_double2 sind2(vec_double2 x)
{
    return (vec_double2){sin(x[0]), sin(x[1])};
}

vec_double2 cosd2(vec_double2 x)
{
    return (vec_double2){cos(x[0]), cos(x[1])};
}

vec_double2 tand2(vec_double2 x)
{
    return (vec_double2){tan(x[0]), tan(x[1])};
}

vec_double2 asind2(vec_double2 x)
{
    return (vec_double2){asin(x[0]), asin(x[1])};
}

vec_double2 acosd2(vec_double2 x)
{
    return (vec_double2){acos(x[0]), acos(x[1])};
}

vec_double2 atand2(vec_double2 x)
{
    return (vec_double2){atan(x[0]), atan(x[1])};
}

vec_double2 atan2d2(vec_double2 y, vec_double2 x)
{
    return (vec_double2){atan2(y[0], x[0]), atan2(y[1], x[1])};
}

void sincosd2(vec_double2 x, vec_double2 *sine, vec_double2 *cosine)
{
    *sine = sind2(x);
    *cosine = cosd2(x);
}
