#include <calloc_align.h>
#include <free_align.h>
#include <libmisc.h>
#include <malloc_align.h>
#include <realloc_align.h>

void *malloc_align(size_t size, unsigned int log2_align)
{
    return _malloc_align(size, log2_align);
}

void *calloc_align(size_t nmemb, size_t size, unsigned int log2_align)
{
    return _calloc_align(nmemb, size, log2_align);
}

void *realloc_align(void *ptr, size_t size, unsigned int log2_align)
{
    return _realloc_align(ptr, size, log2_align);
}

void free_align(void *ptr)
{
    _free_align(ptr);
}
