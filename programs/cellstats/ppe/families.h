/* The families of FUNCTIONs, as far as the PPE's side differs. */
#ifndef FAMILIES_H
#define FAMILIES_H

#include "options.h"
#include "spe.h"

/* mkthread: creates threads with nothing to do and waits for their end; each SPE's ticks. */
void measure_threads(const struct options *options, struct spe *spes);

/* The others say in their SPEs' control blocks what is to be done; contexts exist already. */
void lay_out_synchronisation(const struct options *options, struct spe *spes);
void lay_out_transfers(const struct options *options, struct spe *spes);
void lay_out_atomics(const struct options *options, struct spe *spes);

/* Flags of the contexts that a measurement takes. */
unsigned int context_flags(const struct options *options);

/* mailbox and signal between PPE and SPE: the PPE's measured loop with one SPE; its ticks. */
uint64_t synchronise_with(const struct options *options, struct spe *spe);

#endif
