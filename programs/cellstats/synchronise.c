/* Mailboxes and signals, between two SPEs or between the PPE and an SPE. */
#include "tasks.h"

/* A put of four bytes needs the same low four bits in both addresses. A register's address ends with 0xc. */
static volatile uint32_t message[4] __attribute__((aligned(16)));
#define WORD (&message[3])

void answer_ppe(const struct control_block *block, uint32_t iterations)
{
    if (block->function == MAILBOX)
        for (; iterations > 0; iterations--)
            spu_write_out_mbox(spu_read_in_mbox());
    else
        for (; iterations > 0; iterations--)
            spu_write_out_mbox(spu_read_signal1());
}

/* Four loops in one function, whose constant arguments are evaluated at compile time, not in every iteration. */
static inline __attribute__((always_inline)) void exchange(
    enum function function, enum role role, uint64_t ea, uint32_t iterations, uint32_t tag)
{
    for (; iterations > 0; iterations--) {
        if (role == ACTIVE && function == MAILBOX) {
            mfc_put(WORD, ea, 4, tag, 0, 0);
            spu_read_in_mbox();
        } else if (role == ACTIVE) {
            mfc_sndsig(WORD, ea, tag, 0, 0);
            spu_read_signal1();
        } else if (function == MAILBOX) {
            spu_read_in_mbox();
            mfc_put(WORD, ea, 4, tag, 0, 0);
        } else {
            spu_read_signal1();
            mfc_sndsig(WORD, ea, tag, 0, 0);
        }
        /* The word may be reused after its transfer. */
        wait_for(tag);
    }
}

void synchronise(const struct control_block *block, uint32_t iterations, uint32_t tag)
{
    *WORD = READY;
    if (block->role == ACTIVE && block->function == MAILBOX)
        exchange(MAILBOX, ACTIVE, block->ea, iterations, tag);
    else if (block->role == ACTIVE)
        exchange(SIGNAL, ACTIVE, block->ea, iterations, tag);
    else if (block->function == MAILBOX)
        exchange(MAILBOX, RESPONDER, block->ea, iterations, tag);
    else
        exchange(SIGNAL, RESPONDER, block->ea, iterations, tag);
}
