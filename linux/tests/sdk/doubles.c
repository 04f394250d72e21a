/* Prints the results of functions of double precision in <simdmath.h> as words, for both elements of some
 * vectors. */
#include <stdio.h>

#include <simdmath.h>

static const vec_double2 numbers[] = {{0.5, -2.75}, {1e-3, 123.456}, {-0.9, 1e6}, {3.0, -1e-300}};

static void print(const char *name, vec_double2 x, vec_double2 y, vec_double2 result)
{
    int n;

    for (n = 0; n < 2; n++)
        printf("%s %016llx %016llx %016llx\n", name, (unsigned long long)((vec_ullong2)x)[n],
               (unsigned long long)((vec_ullong2)y)[n], (unsigned long long)((vec_ullong2)result)[n]);
}

static void print_parts(vec_double2 x)
{
    vec_double2 integer, fraction = modfd2(x, &integer), sine, cosine;
    vec_llong2 exponent;

    print("same", x, x, integer + fraction);
    print("trunc", x, x, integer);
    fraction = frexpd2(x, &exponent);
    print("same", x, x, ldexpd2(fraction, exponent));
    sincosd2(x, &sine, &cosine);
    print("sin", x, x, sine);
    print("cos", x, x, cosine);
}

#define ONE(name) print(#name, x, x, name##d2(x));
#define TWO(name) print(#name, x, y, name##d2(x, y));

int main(void)
{
    unsigned int n;

    for (n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        vec_double2 x = numbers[n], y = numbers[(n + 1) % 4], positive = fabsd2(x);

        ONE(fabs) ONE(negate) ONE(floor) ONE(ceil) ONE(trunc) ONE(round) ONE(rint) ONE(nearbyint)
        ONE(recip) ONE(cbrt) ONE(sin) ONE(cos) ONE(tan) ONE(atan)
        TWO(copysign) TWO(div) TWO(fmod) TWO(fmax) TWO(fmin) TWO(atan2)
        print_parts(x);
        x = positive;
        ONE(sqrt) ONE(rsqrt) ONE(log) ONE(log2) ONE(log10)
        y = 9.0 * y / (fabsd2(y) + 1.0);
        x = positive + 1.0;
        TWO(pow)
        x = positive / (positive + 1.0);
        ONE(exp) ONE(exp2) ONE(asin) ONE(acos)
    }
    return 0;
}
