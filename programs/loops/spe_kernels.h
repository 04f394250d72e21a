/* What both sides of spe_kernels.c share. */
#ifndef SPE_KERNELS_H
#define SPE_KERNELS_H

enum kernel { RECIPROCAL_LNOP, RECIPROCAL_NOP, ESTIMATE_CHAIN, INTEGERS, FLOATS, MULTIPLY_ADDS, KERNELS };

/* What an SPE gets and gives back, in a line of its own. */
struct task {
    unsigned int kernel, turns, seed;
    unsigned int ticks; /* ticks of the decrementer that the turns took */
    unsigned int word;  /* of the result, which the compiler must therefore compute */
    unsigned int unused[27];
} __attribute__((aligned(128)));

#endif
