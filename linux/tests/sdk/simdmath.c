/* Applies each function of the table to the arguments in the file "arguments", and writes the results to
 * "results".
 *
 * "table.h" is written by test_simdmath.py: a line F1(name) or F2(name) for each function of one or two
 * arguments. For each line, the file has COUNT numbers x and COUNT numbers y. The program runs on either side.
 */
#include <stdio.h>
#include <simdmath.h>

#define COUNT 512

static vec_float4 x[COUNT / 4], y[COUNT / 4], results[COUNT / 4];

static vec_float4 sine_of_both(vec_float4 angle)
{
    vec_float4 sine, cosine;

    sincosf4(angle, &sine, &cosine);
    return sine;
}

static vec_float4 cosine_of_both(vec_float4 angle)
{
    vec_float4 sine, cosine;

    sincosf4(angle, &sine, &cosine);
    return cosine;
}

static vec_float4 joined_again(vec_float4 number)
{
    vec_int4 exponent;
    vec_float4 fraction = frexpf4(number, &exponent);

    return ldexpf4(fraction, exponent);
}

static vec_float4 halves_added(vec_float4 number)
{
    vec_float4 integer, fraction = modff4(number, &integer);

    return integer + fraction;
}

static vec_float4 scaled_by_200(vec_float4 number)
{
    return scalbnf4(number, (vec_int4){200, 200, 200, 200});
}

int main(void)
{
    FILE *in = fopen("arguments", "rb"), *out = fopen("results", "wb");

    if (!in || !out)
        return 1;
#define READ if (fread(x, sizeof x, 1, in) != 1 || fread(y, sizeof y, 1, in) != 1) return 2;
#define WRITE if (fwrite(results, sizeof results, 1, out) != 1) return 3;
#define F1(name) READ for (int n = 0; n < COUNT / 4; n++) results[n] = name(x[n]); WRITE
#define F2(name) READ for (int n = 0; n < COUNT / 4; n++) results[n] = name(x[n], y[n]); WRITE
#include "table.h"
    return fclose(in) || fclose(out);
}
