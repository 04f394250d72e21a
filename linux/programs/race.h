/* The interface between the PPE side and the SPE side of race.c: a lock and a count of ready threads,
 * each in its own line, and a text. */
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
