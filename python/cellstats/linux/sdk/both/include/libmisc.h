/* The SDK's libmisc, as programs for the PPE and the SPEs use it: aligned memory, random numbers, vectors at
 * any address. */
#ifndef LIBMISC_H
#define LIBMISC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void *calloc_align(size_t nmemb, size_t size, unsigned int log2_align);
void free_align(void *ptr);
void *malloc_align(size_t size, unsigned int log2_align);
void *realloc_align(void *ptr, size_t size, unsigned int log2_align);

/* Numbers of rand(), which srand() seeds, scaled to 0 ... 1 or to -1 ... 1. */
float rand_0_to_1(void);
float rand_minus1_to_1(void);
__vector float rand_0_to_1_v(void);
__vector float rand_minus1_to_1_v(void);

__vector unsigned char load_vec_unaligned(const unsigned char *ptr);
void store_vec_unaligned(unsigned char *ptr, __vector unsigned char data);

#ifdef __cplusplus
}
#endif

#endif
