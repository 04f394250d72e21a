/* calloc_align of the SDK's libmisc: malloc_align of an array, filled with zeros. */
#ifndef CALLOC_ALIGN_H
#define CALLOC_ALIGN_H

#include <malloc_align.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

static __inline__ void *_calloc_align(size_t nmemb, size_t size, unsigned int log2_align)
{
    void *block;

    if (size && nmemb > (size_t)-1 / size)
        return NULL;
    block = _malloc_align(nmemb * size, log2_align);
    return block ? memset(block, 0, nmemb * size) : NULL;
}

void *calloc_align(size_t nmemb, size_t size, unsigned int log2_align);

#ifdef __cplusplus
}
#endif

#endif
