/* The interface between the PPE side and the SPE side of threads1.c. */
#ifndef THREADS1_H
#define THREADS1_H

#define EXIT 33
#define STOP 0x1199
#define FREE_AT 0x30000

enum { EXITS, STOPS, WAITS, TALKS, HALTS, MISALIGNED };

#endif
