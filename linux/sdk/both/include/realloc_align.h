/* realloc_align of the SDK's libmisc: the same bytes in a block of another size. */
#ifndef REALLOC_ALIGN_H
#define REALLOC_ALIGN_H

#include <free_align.h>
#include <malloc_align.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As with realloc, ptr may be NULL, size 0 frees, and ptr stays valid if there is no memory. */
static __inline__ void *_realloc_align(void *ptr, size_t size, unsigned int log2_align)
{
    void *block;
    size_t kept;

    if (ptr && !size) {
        _free_align(ptr);
        return NULL;
    }
    block = _malloc_align(size, log2_align);
    if (block && ptr) {
        kept = ((struct _align_block *)ptr)[-1].size;
        memcpy(block, ptr, kept < size ? kept : size);
        _free_align(ptr);
    }
    return block;
}

void *realloc_align(void *ptr, size_t size, unsigned int log2_align);

#ifdef __cplusplus
}
#endif

#endif
