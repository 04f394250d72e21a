/* What PPE and SPE side of signals.c agree on. */
#ifndef SIGNALS_H
#define SIGNALS_H

enum { REPORT, RING, FIRST_OF_RING };

struct signals_job {
    unsigned int kind, rounds;
    unsigned long long next; /* where the next SPE's signal register 1 lies */
} __attribute__((aligned(16)));

#endif
