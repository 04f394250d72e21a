/* Mailboxes and signals, between two SPEs or between PPE and SPE. */
#include <spu_mfcio.h>

#include "tasks.h"

/* A put of four bytes needs the same low four bits in both addresses; those of the registers are 0xc. */
static volatile uint32_t message[4] __attribute__((aligned(16)));
#define WORD (&message[3])

void answer_ppe(const struct control_block *block, uint32_t iterations)
{
    if (block->function == MAILBOX)
        while (iterations-- > 0)
            spu_write_out_mbox(spu_read_in_mbox());
    else
        while (iterations-- > 0)
            spu_write_out_mbox(spu_read_signal1());
}

static void by_mailbox(uint64_t ea, uint32_t iterations, uint32_t tag, int first)
{
    while (iterations-- > 0) {
        if (!first)
            spu_read_in_mbox();
        mfc_put(WORD, ea, 4, tag, 0, 0);
        if (first)
            spu_read_in_mbox();
        /* The word may be reused once it has gone. */
        wait_for(tag);
    }
}

static void by_signal(uint64_t ea, uint32_t iterations, uint32_t tag, int first)
{
    while (iterations-- > 0) {
        if (!first)
            spu_read_signal1();
        mfc_sndsig(WORD, ea, tag, 0, 0);
        if (first)
            spu_read_signal1();
        wait_for(tag);
    }
}

void synchronise(const struct control_block *block, uint32_t iterations, uint32_t tag)
{
    int first = block->role == ACTIVE;

    *WORD = READY;
    if (block->function == MAILBOX)
        by_mailbox(block->ea, iterations, tag, first);
    else
        by_signal(block->ea, iterations, tag, first);
}
