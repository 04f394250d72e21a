/* The synchronization library of the Cell SDK. Link with -lsync.
 *
 * This is CellStats' own implementation of the published interface. <NAME.h> has the function NAME inline, by
 * the name _NAME. <libsync_inline.h> says what the functions do, and what their words in main memory contain.
 */
#ifndef CELLSTATS_LIBSYNC_H
#define CELLSTATS_LIBSYNC_H

#include <libsync_inline.h>

#ifdef __cplusplus
extern "C" {
#endif

void atomic_set(atomic_ea_t v, int value);
int atomic_read(atomic_ea_t v);
void atomic_add(int a, atomic_ea_t v);
void atomic_sub(int a, atomic_ea_t v);
void atomic_inc(atomic_ea_t v);
void atomic_dec(atomic_ea_t v);
int atomic_add_return(int a, atomic_ea_t v);
int atomic_sub_return(int a, atomic_ea_t v);
int atomic_inc_return(atomic_ea_t v);
int atomic_dec_return(atomic_ea_t v);
int atomic_sub_and_test(int a, atomic_ea_t v);
int atomic_dec_and_test(atomic_ea_t v);
int atomic_dec_if_positive(atomic_ea_t v);

void mutex_init(mutex_ea_t lock);
void mutex_lock(mutex_ea_t lock);
int mutex_trylock(mutex_ea_t lock);
void mutex_unlock(mutex_ea_t lock);

void cond_init(cond_ea_t cond);
void cond_wait(cond_ea_t cond, mutex_ea_t mutex);
void cond_signal(cond_ea_t cond);
void cond_broadcast(cond_ea_t cond);

void init_completion(completion_ea_t completion);
void wait_for_completion(completion_ea_t completion);
void complete(completion_ea_t completion);
void complete_all(completion_ea_t completion);

void read_lock(eaddr_t lock);
int read_trylock(eaddr_t lock);
void read_unlock(eaddr_t lock);
void write_lock(eaddr_t lock);
int write_trylock(eaddr_t lock);
void write_unlock(eaddr_t lock);

#ifdef __cplusplus
}
#endif

#endif
