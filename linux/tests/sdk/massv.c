/* Compares <massv.h> with <simdmath.h> on arrays that begin and end within a vector. Ends with 0 if all bits
 * are equal. */
#include <string.h>

#include <massv.h>
#include <simdmath.h>

enum { COUNT = 7 };

static float x[COUNT + 2], y[COUNT + 2], results[COUNT + 2], more[COUNT + 2];
static float _Complex pairs[COUNT];
static int count = COUNT;

static int differs(const float *found, vec_float4 (*function)(vec_float4))
{
    int n;

    for (n = 0; n < COUNT; n++) {
        float expected = function((vec_float4){x[n + 1], 1, 1, 1})[0];

        if (memcmp(&expected, &found[n], sizeof expected))
            return 1;
    }
    /* The numbers around the array stay as they are. */
    return results[0] != 0 || results[COUNT + 1] != 0;
}

static vec_float4 by_seven(vec_float4 number)
{
    return divf4(number, (vec_float4){7, 7, 7, 7});
}

int main(void)
{
    int n;

    for (n = 0; n < COUNT + 2; n++) {
        x[n] = 0.125f * n + 0.01f;
        y[n] = 7;
    }
#define EQUAL(name, function)                                                                                          \
    vs##name(results + 1, x + 1, &count);                                                                              \
    if (differs(results + 1, function))                                                                                \
        return __LINE__;
    EQUAL(rec, recipf4)
    EQUAL(sqrt, sqrtf4)
    EQUAL(rsqrt, rsqrtf4)
    EQUAL(exp, expf4)
    EQUAL(log, logf4)
    EQUAL(sin, sinf4)
    EQUAL(acos, acosf4)
    vsdiv(results + 1, x + 1, y + 1, &count);
    if (differs(results + 1, by_seven))
        return __LINE__;
    vssincos(results + 1, more + 1, x + 1, &count);
    if (differs(results + 1, sinf4) || differs(more + 1, cosf4))
        return __LINE__;
    vscosisin(pairs, x + 1, &count);
    for (n = 0; n < COUNT; n++)
        if (__real__ pairs[n] != more[n + 1] || __imag__ pairs[n] != results[n + 1])
            return __LINE__;
    return 0;
}
