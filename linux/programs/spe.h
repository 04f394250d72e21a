/* Functions shared by the SPE sides: DMA with a wait, and an atomic update of a word. */
#ifndef SPE_H
#define SPE_H

#include <spu_mfcio.h>

#define TAG 3
#define LINE_BYTES 128

typedef unsigned long long ea_t;

static inline void wait_for_tag(unsigned int tag)
{
    mfc_write_tag_mask(1u << tag);
    mfc_read_tag_status_all();
}

static inline void get_and_wait(volatile void *to, ea_t from, unsigned int bytes)
{
    mfc_get(to, from, bytes, TAG, 0, 0);
    wait_for_tag(TAG);
}

static inline void put_and_wait(volatile void *from, ea_t to, unsigned int bytes)
{
    mfc_put(from, to, bytes, TAG, 0, 0);
    wait_for_tag(TAG);
}

static volatile unsigned int line[LINE_BYTES / 4] __attribute__((aligned(LINE_BYTES)));

/* Replaces the word at `ea`, in a line of its own, by `next(word)`. Retries if the reservation was lost.
 * Returns the previous word. */
static inline unsigned int update(ea_t ea, unsigned int (*next)(unsigned int))
{
    unsigned int old;

    do {
        mfc_getllar(line, ea, 0, 0);
        mfc_read_atomic_status();
        old = line[0];
        line[0] = next(old);
        mfc_putllc(line, ea, 0, 0);
    } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
    return old;
}

#endif
