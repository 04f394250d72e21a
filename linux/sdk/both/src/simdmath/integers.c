/* Integers in <simdmath.h>. */
#include <simdmath.h>
#include <simdmath/_integers.h>

vec_int4 absi4(vec_int4 x)
{
    return _absi4(x);
}

vec_int4 negatei4(vec_int4 x)
{
    return _negatei4(x);
}

divi4_t divi4(vec_int4 x, vec_int4 y)
{
    return _divi4(x, y);
}

divu4_t divu4(vec_uint4 x, vec_uint4 y)
{
    return _divu4(x, y);
}
