/* The PPE's side of a measurement on SPEs. */
#ifndef DIRECTOR_H
#define DIRECTOR_H

#include "options.h"
#include "spe.h"

/* Creates contexts and control blocks, which the family's `lay_out` function completes. */
void prepare_spes(const struct options *options, struct spe *spes);

/* Starts all SPEs, lets them measure, and waits for their end. Stores every SPE's ticks. */
void direct(const struct options *options, struct spe *spes);

#endif
