/* Arithmetic whose results a test also computes on the host (crates/spu/tests/executables/programs.rs).
 *
 * The program exercises the code that the compiler and its libraries provide for arithmetic in both
 * precisions, conversions, division, mathematical functions, and conversion between numbers and text. The
 * test reads the results at a known address.
 */

/* A product and a sum are rounded separately, as on the host. */
#pragma GCC optimize("fp-contract=off")

/* Declares ecvt, which replaces the library's snprintf, a call of the PPE. */
#define _XOPEN_SOURCE 500

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 64

struct results {
    double sum[COUNT];
    double quotient[COUNT];
    double root[COUNT];
    double exponential[COUNT];
    double sine[COUNT];
    double logarithm[COUNT];
    double from_text[COUNT];
    int64_t integer_quotient[COUNT];
    float single_sum[COUNT];
    float single_product[COUNT];
    float single_quotient[COUNT];
    float single_root[COUNT];
    float narrowed[COUNT];
    int32_t truncated[COUNT];
    uint32_t truncated_unsigned[COUNT];
    char text[COUNT][32];
};

/* The linker puts the results at a fixed address. */
struct results results __attribute__((section(".results"), aligned(128)));

static uint32_t state = 1;

/* The quick generator of Numerical Recipes; the host uses the same generator. */
static int32_t next(void)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)state;
}

/* Writes a number's sign, a fraction of 17 digits, and its power of ten. */
static void write_number(double x, char *text)
{
    int power, negative;
    const char *digits = ecvt(x, 17, &power, &negative);
    if (negative)
        *text++ = '-';
    *text++ = '.';
    strcpy(text, digits);
    text += strlen(text);
    *text++ = 'e';
    *text++ = power < 0 ? '-' : '+';
    *text++ = (char)('0' + abs(power) / 10);
    *text++ = (char)('0' + abs(power) % 10);
    *text = 0;
}

int main(void)
{
    double sum = 0.0;
    for (int i = 0; i < COUNT; i++) {
        int32_t n = next(), m = next() >> 8;
        double x = n / 65536.0, y = m / 1024.0, magnitude = fabs(x) + 1.0;
        float a = (float)(n >> 8), b = (float)m;

        sum = sum * 0.75 + x * y;
        results.sum[i] = sum;
        results.quotient[i] = x / y;
        results.root[i] = sqrt(magnitude);
        results.exponential[i] = exp(y / 1024.0);
        results.sine[i] = sin(x);
        results.logarithm[i] = log(magnitude);
        results.integer_quotient[i] = ((int64_t)n << 20) / m;
        results.single_sum[i] = a * 4096.0f + b;
        results.single_product[i] = a * b;
        results.single_quotient[i] = a / b;
        results.single_root[i] = sqrtf((float)magnitude);
        results.narrowed[i] = (float)x;
        results.truncated[i] = (int32_t)(a * 0.6875f);
        results.truncated_unsigned[i] = (uint32_t)(fabsf(a) * 511.0f);
        write_number(x / y, results.text[i]);
        results.from_text[i] = strtod(results.text[i], NULL);
    }
    return 0;
}
