/* free_align of the SDK's libmisc: frees what malloc_align, calloc_align and realloc_align returned. */
#ifndef FREE_ALIGN_H
#define FREE_ALIGN_H

#include <malloc_align.h>

#ifdef __cplusplus
extern "C" {
#endif

static __inline__ void _free_align(void *ptr)
{
    if (ptr)
        free(((struct _align_block *)ptr)[-1].allocated);
}

void free_align(void *ptr);

#ifdef __cplusplus
}
#endif

#endif
