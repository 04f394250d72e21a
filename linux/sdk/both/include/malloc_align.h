/* malloc_align of the SDK's libmisc: memory aligned to a power of two, for DMA and vectors.
 *
 * A block begins with padding, then two words, then the user's aligned bytes. The words are what free
 * returns and how many bytes the user asked for, which realloc_align copies. Blocks of the functions with
 * and without _ are the same, as programs mix them. */
#ifndef MALLOC_ALIGN_H
#define MALLOC_ALIGN_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

struct _align_block {
    void *allocated;
    size_t size;
};

/* log2_align: 7 gives multiples of 128 bytes. Returns NULL if there is no memory. */
static __inline__ void *_malloc_align(size_t size, unsigned int log2_align)
{
    size_t mask, room;
    char *allocated;
    uintptr_t aligned;

    if (log2_align >= 8 * sizeof(size_t) - 1)
        return NULL;
    mask = ((size_t)1 << log2_align) - 1;
    if (mask < sizeof(struct _align_block) - 1)
        mask = sizeof(struct _align_block) - 1;
    room = mask + sizeof(struct _align_block);
    if (size > (size_t)-1 - room)
        return NULL;
    allocated = (char *)malloc(size + room);
    if (!allocated)
        return NULL;
    aligned = ((uintptr_t)allocated + room) & ~(uintptr_t)mask;
    ((struct _align_block *)aligned)[-1].allocated = allocated;
    ((struct _align_block *)aligned)[-1].size = size;
    return (void *)aligned;
}

void *malloc_align(size_t size, unsigned int log2_align);

#ifdef __cplusplus
}
#endif

#endif
