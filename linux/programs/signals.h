/* The interface between the PPE side and the SPE side of signals.c. */
#ifndef SIGNALS_H
#define SIGNALS_H

enum { REPORT, RING, FIRST_OF_RING };

struct signals_job {
    unsigned int kind, rounds;
    unsigned long long next; /* address of the next SPE's signal register 1 */
} __attribute__((aligned(16)));

#endif
