/* DMA lists that are made while the one before is under way. */
#ifndef LISTS_H
#define LISTS_H

#include "../../tasks.h"

/* List DMAs one after the other, waiting after every batch. */
void transfer_lists(const struct control_block *block, uint32_t iterations, uint32_t tag);

#endif
