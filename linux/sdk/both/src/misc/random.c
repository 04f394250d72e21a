#include <libmisc.h>
#include <stdlib.h>

float rand_0_to_1(void)
{
    return (float)rand() / (float)RAND_MAX;
}

float rand_minus1_to_1(void)
{
    return 2.0f * rand_0_to_1() - 1.0f;
}

__vector float rand_0_to_1_v(void)
{
    union {
        float elements[4];
        __vector float all;
    } numbers;

    for (int n = 0; n < 4; n++)
        numbers.elements[n] = rand_0_to_1();
    return numbers.all;
}

__vector float rand_minus1_to_1_v(void)
{
    __vector float twice = {2.0f, 2.0f, 2.0f, 2.0f};
    __vector float one = {1.0f, 1.0f, 1.0f, 1.0f};

    return twice * rand_0_to_1_v() - one;
}
