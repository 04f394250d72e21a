/* The parts of the PPE's side that differ between the families of FUNCTIONs. */
#ifndef FAMILIES_H
#define FAMILIES_H

#include "options.h"
#include "spe.h"

/* mkthread: creates threads without work and waits for their end. Stores every SPE's ticks. */
void measure_threads(const struct options *options, struct spe *spes);

/* Completes the SPEs' control blocks for the other families. The contexts exist already. */
void lay_out_synchronisation(const struct options *options, struct spe *spes);
void lay_out_transfers(const struct options *options, struct spe *spes);
void lay_out_atomics(const struct options *options, struct spe *spes);

/* The flags of the contexts for a measurement. */
unsigned int context_flags(const struct options *options);

/* mailbox and signal between PPE and SPE: runs the PPE's measured loop with one SPE. Returns the loop's ticks. */
uint64_t synchronise_with(const struct options *options, struct spe *spe);

#endif
