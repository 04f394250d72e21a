/* Loops of <massv.h> over arrays that may begin and end within a vector. */
#ifndef CELLSTATS_MASSV_ARRAYS_H
#define CELLSTATS_MASSV_ARRAYS_H

#include <massv.h>
#include <simdmath/_vector.h>
#include <string.h>

static inline int count_of_next(int left)
{
    return left < 4 ? left : 4;
}

/* The elements that are not there are 1, which is an argument of every function. */
static inline vec_float4 loaded(const float *from, int count)
{
    vec_float4 vector = _SM_FLOAT(1.0f);

    memcpy(&vector, from, count * sizeof *from);
    return vector;
}

static inline void store(float *to, vec_float4 vector, int count)
{
    memcpy(to, &vector, count * sizeof *to);
}

#define MASSV_OF_ONE(name, function)                                                                                   \
    void name(float *y, float *x, int *n)                                                                              \
    {                                                                                                                  \
        int i, count;                                                                                                  \
                                                                                                                       \
        for (i = 0; i < *n; i += count) {                                                                              \
            count = count_of_next(*n - i);                                                                             \
            store(y + i, function(loaded(x + i, count)), count);                                                       \
        }                                                                                                              \
    }

#define MASSV_OF_TWO(name, function)                                                                                   \
    void name(float *z, float *x, float *y, int *n)                                                                    \
    {                                                                                                                  \
        int i, count;                                                                                                  \
                                                                                                                       \
        for (i = 0; i < *n; i += count) {                                                                              \
            count = count_of_next(*n - i);                                                                             \
            store(z + i, function(loaded(x + i, count), loaded(y + i, count)), count);                                 \
        }                                                                                                              \
    }

#endif
