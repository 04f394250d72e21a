/* What PPE and SPE side of threads1.c agree on. */
#ifndef THREADS1_H
#define THREADS1_H

#define EXIT 33
#define STOP 0x1199
#define FREE_AT 0x30000

enum { EXITS, STOPS, WAITS, TALKS };

#endif
