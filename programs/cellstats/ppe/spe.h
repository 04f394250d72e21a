/* An SPE of a measurement: its context, the PPE's thread that runs the context, and its control block. */
#ifndef SPE_H
#define SPE_H

#include <libspe2.h>
#include <pthread.h>
#include <stdint.h>

#include "../control_block.h"

struct spe {
    spe_context_ptr_t context;
    pthread_t thread;
    struct control_block *block; /* two lines of main memory; NULL: an empty task */
    uint64_t ticks;              /* of the measured loop */
};

/* Creates the context and loads its program. `flags` are those of spe_context_create. */
void create_spe(struct spe *spe, unsigned int flags);

/* Creates the PPE's thread that runs the SPE's program. */
void start_spe(struct spe *spe);

/* Waits until the program and its thread have ended. */
void join_spe(struct spe *spe);

void destroy_spe(struct spe *spe);

/* Messages to and from the SPE's mailboxes, through the library. */
void send_message(struct spe *spe, unsigned int message);
unsigned int receive_message(struct spe *spe);

/* Allocates memory that begins on a page. All of its pages are present. */
void *allocate_memory(uint64_t bytes);

#endif
