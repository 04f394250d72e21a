/* The PPE's side of a measurement on SPEs. */
#ifndef DIRECTOR_H
#define DIRECTOR_H

#include "options.h"
#include "spe.h"

/* Creates contexts and control blocks, for `lay_out` of the family to complete. */
void prepare_spes(const struct options *options, struct spe *spes);

/* Starts all SPEs, lets them measure, and waits for their end: every SPE's ticks. */
void direct(const struct options *options, struct spe *spes);

#endif
