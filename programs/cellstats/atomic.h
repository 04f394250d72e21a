/* Atomic operations on a word in main memory, as the SDK's synchronisation library has them: each
 * answers the value before it. */
#ifndef ATOMIC_H
#define ATOMIC_H

#include <stdint.h>

uint32_t atomic_add_return(uint64_t ea, uint32_t value);
uint32_t atomic_sub_return(uint64_t ea, uint32_t value);
uint32_t atomic_inc_return(uint64_t ea);
uint32_t atomic_dec_return(uint64_t ea);
uint32_t atomic_set_return(uint64_t ea, uint32_t value);

#endif
