/* Angles in <massv.h>. */
#include "arrays.h"

#include <simdmath/_angles.h>

MASSV_OF_ONE(vssin, _sinf4)
MASSV_OF_ONE(vscos, _cosf4)
MASSV_OF_ONE(vstan, _tanf4)
MASSV_OF_ONE(vsasin, _asinf4)
MASSV_OF_ONE(vsacos, _acosf4)
MASSV_OF_TWO(vsatan2, _atan2f4)

void vssincos(float *sines, float *cosines, float *x, int *n)
{
    int i, count;

    for (i = 0; i < *n; i += count) {
        vec_float4 sine, cosine;

        count = count_of_next(*n - i);
        _sincosf4(loaded(x + i, count), &sine, &cosine);
        store(sines + i, sine, count);
        store(cosines + i, cosine, count);
    }
}

void vscosisin(float _Complex *y, float *x, int *n)
{
    float *parts = (float *)y;
    int i, count, element;

    for (i = 0; i < *n; i += count) {
        vec_float4 sine, cosine;

        count = count_of_next(*n - i);
        _sincosf4(loaded(x + i, count), &sine, &cosine);
        for (element = 0; element < count; element++) {
            parts[2 * (i + element)] = cosine[element];
            parts[2 * (i + element) + 1] = sine[element];
        }
    }
}
