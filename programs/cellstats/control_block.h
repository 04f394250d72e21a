/* The control block: all that an SPE needs to know, two lines of main memory.
 *
 * The PPE stores it (crates/cellstats/src/control_block.rs says what each field means); names and
 * order here are the same, and a test compares the functions' numbers.  Fields that only patterns of
 * traffic use are there because the PPE stores them; these programs have no patterns.
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

/* Where the PPE has left room in every local store for DMA lists: 16 KB, all that a command takes. */
#define LIST_LSA 0x4000

/* Tag group of all that is not measured, and of the measured DMAs. */
#define TAG 0
#define MEASURED_TAG 1

/* What is mailed when the control block has come, and what is sent back and forth. */
#define READY 1

#endif
