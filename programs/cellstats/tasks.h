/* The tasks of an SPE. Each runs `iterations` times, with DMAs of one tag group. */
#ifndef TASKS_H
#define TASKS_H

#include <spu_mfcio.h>

#include "control_block.h"

/* Waits until every DMA of a tag group is complete. */
static inline void wait_for(uint32_t tag)
{
    mfc_write_tag_mask(1 << tag);
    mfc_read_tag_status_all();
}

/* Builds the DMA list that `transfer` will use: consecutive elements of main storage. */
void build_list(const struct control_block *block);

/* Transfers DMAs one after the other, and waits after every batch. */
void transfer(const struct control_block *block, uint32_t iterations, uint32_t tag);

/* Waits for the PPE's message and replies by mailbox. */
void answer_ppe(const struct control_block *block, uint32_t iterations);

/* Writes to the partner and waits for its reply, or replies to the partner. */
void synchronise(const struct control_block *block, uint32_t iterations, uint32_t tag);

/* Runs atomic operations one after the other. */
void modify(const struct control_block *block, uint32_t iterations);

#endif
