/* Arithmetic of double precision in <simdmath.h>. Division is the compiler's. */
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

vec_double2 fmaxd2(vec_double2 x, vec_double2 y)
{
    return (vec_double2){x[0] > y[0] || y[0] != y[0] ? x[0] : y[0], x[1] > y[1] || y[1] != y[1] ? x[1] : y[1]};
}

vec_double2 fmind2(vec_double2 x, vec_double2 y)
{
    return (vec_double2){x[0] < y[0] || y[0] != y[0] ? x[0] : y[0], x[1] < y[1] || y[1] != y[1] ? x[1] : y[1]};
}

/* 1 / sqrt(m) and sqrt(m) for 1 <= m < 4. Newton's method doubles the estimate's 12 bits three times. */
static vec_double2 reciprocal_root(vec_double2 m, vec_double2 *root)
{
    const vec_double2 half = {0.5, 0.5};
    vec_double2 y = spu_extend(spu_rsqrte(spu_roundtf(m)));
    int n;

    for (n = 0; n < 3; n++)
        y = spu_madd(y * half, spu_nmsub(m * y, y, one), y);
    *root = m * y;
    *root = spu_madd(spu_nmsub(*root, *root, m), half * y, *root);
    return y;
}

vec_double2 sqrtd2(vec_double2 x)
{
    vec_llong2 exponent, odd;
    vec_double2 fraction = frexpd2(x, &exponent), root, result;
    int n;

    odd = exponent & 1;
    reciprocal_root(ldexpd2(fraction, 2 - odd), &root);
    result = ldexpd2(root, (exponent + odd - 2) >> 1);
    for (n = 0; n < 2; n++) {
        if (!(x[n] > 0))
            result[n] = x[n] == 0 ? x[n] : __builtin_nan("");
        else if (x[n] > __DBL_MAX__)
            result[n] = x[n];
    }
    return result;
}

vec_double2 rsqrtd2(vec_double2 x)
{
    return one / sqrtd2(x);
}
