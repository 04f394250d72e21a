/* DMA lists, each of which is built while the previous list is in progress. */
#ifndef LISTS_H
#define LISTS_H

#include "../../tasks.h"

/* Transfers list DMAs one after the other, and waits after every batch. */
void transfer_lists(const struct control_block *block, uint32_t iterations, uint32_t tag);

#endif
