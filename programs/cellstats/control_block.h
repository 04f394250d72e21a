/* The control block: all parameters of an SPE, in two cache lines of main memory.
 *
 * The PPE stores the block. crates/cellstats/src/control_block.rs documents each field; names and order here
 * are the same, and a test compares the functions' numbers. Some fields are only for traffic patterns. The C
 * programs have no patterns, but the PPE stores these fields, too.
 */
#ifndef CONTROL_BLOCK_H
#define CONTROL_BLOCK_H

#include <stdint.h>

enum function {
    MKTHREAD,
    MAILBOX,
    SIGNAL,
    DMAGET,
    DMAPUT,
    DMALISTGET,
    DMALISTPUT,
    FETCHADD,
    FETCHSUB,
    FETCHINC,
    FETCHDEC,
    FETCHSET
};

enum role { ACTIVE, RESPONDER, HOLDER, PPE_RESPONDER };

struct control_block {
    uint32_t function;
    uint8_t unused[2];
    uint8_t op;
    uint8_t role;
    uint64_t iterations;
    uint64_t warm_up;
    uint32_t size_bytes;
    uint32_t list_elements;
    uint32_t batch; /* iterations between two waits; 0: one wait at the end */
    uint32_t target_count;
    uint64_t ea; /* the variable, or the partner's mailbox or signal register */
    uint64_t iteration_cycles;
    uint64_t atomic_cycles;
    uint64_t seed;
    uint32_t places;
    uint32_t put_lag;
    uint32_t lsa_step;
    uint32_t ea_step;
    uint32_t get_lsa;
    uint32_t put_lsa;
    uint64_t get_ea;
    uint64_t put_ea;
    uint64_t unused_of_line[2];
    uint64_t targets[16];
};

/* Space that the PPE leaves for DMA lists in every local store: 16 KB, the largest list of a command. */
#define LIST_LSA 0x4000

/* The tag groups of DMAs that are not measured, and of measured DMAs. */
#define TAG 0
#define MEASURED_TAG 1

/* The message that reports the control block's arrival, and the message exchanged in measured loops. */
#define READY 1

#endif
