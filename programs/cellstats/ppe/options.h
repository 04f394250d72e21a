/* The measurement that the command line describes. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>

#include "../control_block.h"

struct options {
    enum function function;
    uint32_t spes;
    int own_data; /* -N: each SPE has its own buffer or variable */
    uint64_t iterations;
    uint64_t warm_up;
    uint32_t size_bytes;    /* of a DMA or list element */
    uint32_t list_elements; /* 0: no list */
    uint32_t batch;         /* DMAs between two waits; 0: one wait at the end */
    uint64_t stride_bytes;  /* between private buffers or variables; 0: a line */
    int spe_to_spe;
    int by_register; /* the PPE reaches SPEs by their registers, not by the library */
};

/* Reads and checks the command line. Ends the program if it is invalid. */
struct options read_options(int argc, char **argv);

/* The FUNCTIONs of each family. */
static inline int is_synchronisation(enum function function)
{
    return function == MAILBOX || function == SIGNAL;
}

static inline int is_transfer(enum function function)
{
    return function >= DMAGET && function <= DMALISTPUT;
}

static inline int is_list_transfer(enum function function)
{
    return function == DMALISTGET || function == DMALISTPUT;
}

static inline int is_put(enum function function)
{
    return function == DMAPUT || function == DMALISTPUT;
}

/* The bytes that an SPE moves in an iteration; 0 if no data move. */
uint64_t iteration_bytes(const struct options *options);

/* The bytes from one SPE's buffer or variable to that of the next SPE: the smallest multiple of the stride
 * that holds `bytes`, or 0 if the SPEs share one. */
uint64_t distance_bytes(const struct options *options, uint64_t bytes);

#endif
