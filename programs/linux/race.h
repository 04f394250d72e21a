/* What PPE and SPE side of race.c agree on: a lock and a count of those that are ready, each with a line of
 * its own, and a text. */
#ifndef RACE_H
#define RACE_H

#define TURNS 20
#define TEXT_BYTES 1008

struct race {
    volatile unsigned int lock[32];
    volatile unsigned int ready[32];
    volatile unsigned int length, unused[3];
    char text[TEXT_BYTES];
} __attribute__((aligned(128)));

#endif
