/* The SDK's libmisc, as programs for the PPE and the SPEs use it: aligned memory, random numbers, vectors at
 * any address, limits and extremes; for the SPEs also copies between memory and the local store.
 *
 * NAME.h has limits, extremes and aligned memory inline, as _NAME. */
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

/* The number of the range that is nearest to x. */
float clamp_0_to_1(float x);
float clamp_minus1_to_1(float x);
__vector float clamp_0_to_1_v(__vector float x);
__vector float clamp_minus1_to_1_v(__vector float x);

/* The greater and the smaller one of each two elements. */
__vector float max_float_v(__vector float a, __vector float b);
__vector float min_float_v(__vector float a, __vector float b);
__vector signed int max_int_v(__vector signed int a, __vector signed int b);
__vector signed int min_int_v(__vector signed int a, __vector signed int b);

/* The greatest and the smallest one of a vector's first three elements, or of all four. */
float max_vec_float3(__vector float x);
float max_vec_float4(__vector float x);
float min_vec_float3(__vector float x);
float min_vec_float4(__vector float x);
int max_vec_int3(__vector signed int x);
int max_vec_int4(__vector signed int x);
int min_vec_int3(__vector signed int x);
int min_vec_int4(__vector signed int x);

#ifdef __SPU__
/* Copy n bytes between the local store and main memory, at any addresses, and wait for the end. Return n. */
size_t copy_from_ls(uint64_t to, uint32_t from, size_t n);
size_t copy_to_ls(uint32_t to, uint64_t from, size_t n);
#endif

#ifdef __cplusplus
}
#endif

#endif
