/* Declarations shared by the PPE side and the SPE side of contended.c. */
#ifndef CONTENDED_H
#define CONTENDED_H

enum contended_loop { INCREMENT, CHAIN, PUTLLC, PUTLLUC, PUT, SHARED_PUT, LARGE_PUT, SHARED_LARGE_PUT, LOOPS };

#define SPES 6
#define LARGE_BYTES 16384

/* Each member begins in a new cache line. */
struct contended {
    unsigned int start[32];
    unsigned int ready[32];
    unsigned int loop, iterations, unused[30];
    unsigned int word[32];
    unsigned int ticks[SPES][32];
    unsigned char lines[SPES][128];
    unsigned char blocks[SPES][LARGE_BYTES];
};

#endif
