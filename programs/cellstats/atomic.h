/* Atomic operations on a word in main memory. Each returns the previous value.
 *
 * Names and form are those of the SDK's synchronisation library, whose functions compilers can inline. As
 * with that library, the compiler does not know that a conditional put rarely fails. It hints the loop's
 * backward branch as taken, so each success costs a mispredicted branch.
 */
#ifndef ATOMIC_H
#define ATOMIC_H

#include <spu_mfcio.h>
#include <stdint.h>

#define LINE_BYTES 128

static volatile uint32_t lock_line[LINE_BYTES / 4] __attribute__((aligned(LINE_BYTES)));

/* Gets the line with a reservation, keeps some bits of the word, adds to it, and puts the line back. Retries
 * if the reservation was lost. */
static inline uint32_t atomic_update(uint64_t ea, uint32_t kept_bits, uint32_t addend)
{
    uint64_t line_ea = ea & ~(uint64_t)(LINE_BYTES - 1);
    volatile uint32_t *word = &lock_line[(uint32_t)ea % LINE_BYTES / 4];
    uint32_t old;

    do {
        mfc_getllar(lock_line, line_ea, 0, 0);
        mfc_read_atomic_status();
        old = *word;
        *word = (old & kept_bits) + addend;
        mfc_putllc(lock_line, line_ea, 0, 0);
    } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
    return old;
}

static inline uint32_t atomic_add_return(uint64_t ea, uint32_t value)
{
    return atomic_update(ea, UINT32_MAX, value);
}

static inline uint32_t atomic_sub_return(uint64_t ea, uint32_t value)
{
    return atomic_update(ea, UINT32_MAX, -value);
}

static inline uint32_t atomic_inc_return(uint64_t ea)
{
    return atomic_update(ea, UINT32_MAX, 1);
}

static inline uint32_t atomic_dec_return(uint64_t ea)
{
    return atomic_update(ea, UINT32_MAX, -1);
}

static inline uint32_t atomic_set_return(uint64_t ea, uint32_t value)
{
    return atomic_update(ea, 0, value);
}

#endif
