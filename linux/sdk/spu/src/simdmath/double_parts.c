/* Rounding, and the parts of a number of double precision, in <simdmath.h>. */
#include <simdmath.h>

static const unsigned long long sign = 0x8000000000000000ULL;
/* The position and the greatest value of an exponent, and the exponent of a number from 1/2 to 1. */
enum { SHIFT = 52, GREATEST = 0x7ff, HALF = 1022 };

static unsigned long long word_of(double x)
{
    return ((vec_ullong2)(vec_double2){x, x})[0];
}

static double number_of(unsigned long long word)
{
    return ((vec_double2)(vec_ullong2){word, word})[0];
}

/* A sum with 2^52 has no bits for a fraction. Each element is rounded in the mode that FPSCR has for it. */
vec_double2 rintd2(vec_double2 x)
{
    const vec_double2 limit = {0x1p52, 0x1p52};
    vec_double2 offset = copysignd2(limit, x), rounded = (x + offset) - offset, size = fabsd2(x);

    rounded = (vec_double2){size[0] < limit[0] ? rounded[0] : x[0], size[1] < limit[1] ? rounded[1] : x[1]};
    return copysignd2(rounded, x);
}

vec_double2 nearbyintd2(vec_double2 x)
{
    return rintd2(x);
}

vec_double2 floord2(vec_double2 x)
{
    vec_double2 integer = rintd2(x);

    return integer - (vec_double2){integer[0] > x[0] ? 1 : 0, integer[1] > x[1] ? 1 : 0};
}

vec_double2 ceild2(vec_double2 x)
{
    return negated2(floord2(negated2(x)));
}

vec_double2 truncd2(vec_double2 x)
{
    return copysignd2(floord2(fabsd2(x)), x);
}

vec_double2 roundd2(vec_double2 x)
{
    vec_double2 integer = floord2(fabsd2(x)), rest = fabsd2(x) - integer;

    integer += (vec_double2){rest[0] >= 0.5 ? 1 : 0, rest[1] >= 0.5 ? 1 : 0};
    return copysignd2(integer, x);
}

vec_double2 modfd2(vec_double2 x, vec_double2 *integer)
{
    int n;

    *integer = truncd2(x);
    for (n = 0; n < 2; n++)
        /* Infinity has no fraction. */
        if (x[n] != (*integer)[n])
            x[n] -= (*integer)[n];
        else
            x[n] = number_of(word_of(x[n]) & sign);
    return x;
}

static double fraction_of(double x, long long *exponent)
{
    const unsigned long long word = word_of(x);
    const int biased = (int)(word >> SHIFT) & GREATEST;

    /* The SPU's arithmetic treats denormal numbers as 0. */
    *exponent = biased == 0 || biased == GREATEST ? 0 : biased - HALF;
    if (biased == GREATEST)
        return x;
    if (biased == 0)
        return number_of(word & sign);
    return number_of((word & ~((unsigned long long)GREATEST << SHIFT)) | (unsigned long long)HALF << SHIFT);
}

vec_double2 frexpd2(vec_double2 x, vec_llong2 *exponent)
{
    long long first, second;
    vec_double2 fraction = {fraction_of(x[0], &first), fraction_of(x[1], &second)};

    *exponent = (vec_llong2){first, second};
    return fraction;
}

static double scaled(double x, long long n)
{
    const unsigned long long word = word_of(x);
    const int biased = (int)(word >> SHIFT) & GREATEST;

    if (biased == GREATEST)
        return x;
    if (biased == 0 || n < 1 - biased)
        return number_of(word & sign);
    if (n > GREATEST - 1 - biased)
        return number_of((word & sign) | (unsigned long long)GREATEST << SHIFT);
    return number_of(word + ((unsigned long long)n << SHIFT));
}

vec_double2 ldexpd2(vec_double2 x, vec_llong2 n)
{
    return (vec_double2){scaled(x[0], n[0]), scaled(x[1], n[1])};
}
