/* Atomic operations by lock line: get it with a reservation, change the word, put it back if nobody
 * else has been faster, or begin again. */
#include <spu_mfcio.h>

#include "atomic.h"

#define LINE_BYTES 128

static volatile uint32_t line[LINE_BYTES / 4] __attribute__((aligned(LINE_BYTES)));

/* `NEW` makes the new value of `old`. */
#define UPDATE(ea, NEW)                                                  \
    do {                                                                 \
        uint64_t line_ea = (ea) & ~(uint64_t)(LINE_BYTES - 1);           \
        volatile uint32_t *word = &line[((uint32_t)(ea) & (LINE_BYTES - 1)) / 4]; \
        uint32_t old;                                                    \
                                                                         \
        do {                                                             \
            mfc_getllar(line, line_ea, 0, 0);                            \
            mfc_read_atomic_status();                                    \
            old = *word;                                                 \
            *word = (NEW);                                               \
            mfc_putllc(line, line_ea, 0, 0);                             \
        } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);          \
        return old;                                                      \
    } while (0)

uint32_t atomic_add_return(uint64_t ea, uint32_t value)
{
    UPDATE(ea, old + value);
}

uint32_t atomic_sub_return(uint64_t ea, uint32_t value)
{
    UPDATE(ea, old - value);
}

uint32_t atomic_inc_return(uint64_t ea)
{
    UPDATE(ea, old + 1);
}

uint32_t atomic_dec_return(uint64_t ea)
{
    UPDATE(ea, old - 1);
}

uint32_t atomic_set_return(uint64_t ea, uint32_t value)
{
    UPDATE(ea, value);
}
