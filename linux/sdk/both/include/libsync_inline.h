/* The functions of <libsync.h>, inline, by their names with an underscore in front.
 *
 * Every object is one word of main memory, whose address is a multiple of 4, and which is 0 after its
 * initialization. Programs on both sides may share it. Put each object into a cache line of its own: a
 * reservation is lost when any word of the line changes. The SPU changes a word in a copy of its line (getllar,
 * putllc), the PPE by lwarx and stwcx.
 *
 * An SPE's DMA is not ordered with these functions. Wait for the tags of transfers before you unlock, signal or
 * complete.
 */
#ifndef CELLSTATS_LIBSYNC_INLINE_H
#define CELLSTATS_LIBSYNC_INLINE_H

typedef unsigned long long eaddr_t;
typedef unsigned long long atomic_ea_t;
typedef unsigned long long mutex_ea_t;
typedef unsigned long long cond_ea_t;
typedef unsigned long long completion_ea_t;

/* Reads a word with a reservation (_sync_load), and replaces it if nobody has changed the line since
 * (_sync_store, which returns whether it did). _sync_acquire and _sync_release order other accesses of the PPE
 * after a lock and before an unlock. */
#ifdef __SPU__
#include <spu_mfcio.h>

static volatile int _sync_line[32] __attribute__((aligned(128), unused));

static inline int _sync_load(eaddr_t ea)
{
    mfc_getllar(_sync_line, ea & ~127ULL, 0, 0);
    mfc_read_atomic_status();
    return _sync_line[(ea & 127) / 4];
}

static inline int _sync_store(eaddr_t ea, int word)
{
    _sync_line[(ea & 127) / 4] = word;
    mfc_putllc(_sync_line, ea & ~127ULL, 0, 0);
    return !(mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
}

#define _sync_acquire() ((void)0)
#define _sync_release() ((void)0)
#define _sync_pause() ((void)0)
#else
#include <ppu_intrinsics.h>
#include <sched.h>

#define _SYNC_WORD(ea) ((volatile int *)(unsigned long)(ea))

static inline int _sync_load(eaddr_t ea)
{
    return (int)__lwarx(_SYNC_WORD(ea));
}

static inline int _sync_store(eaddr_t ea, int word)
{
    return __stwcx(_SYNC_WORD(ea), (unsigned int)word);
}

#define _sync_acquire() __isync()
#define _sync_release() __lwsync()
/* Another thread of the PPE may hold the lock and need the processor. */
#define _sync_pause() sched_yield()
#endif

/* Atomic integers. The functions that end in _return return the new value, and those that end in _test whether
 * it is 0. */
static inline int _atomic_read(atomic_ea_t v)
{
    return _sync_load(v);
}

static inline void _atomic_set(atomic_ea_t v, int value)
{
    do
        _sync_load(v);
    while (!_sync_store(v, value));
}

static inline int _atomic_add_return(int a, atomic_ea_t v)
{
    int value;

    do
        value = (int)((unsigned int)_sync_load(v) + (unsigned int)a);
    while (!_sync_store(v, value));
    return value;
}

static inline int _atomic_sub_return(int a, atomic_ea_t v)
{
    return _atomic_add_return((int)-(unsigned int)a, v);
}

static inline int _atomic_inc_return(atomic_ea_t v)
{
    return _atomic_add_return(1, v);
}

static inline int _atomic_dec_return(atomic_ea_t v)
{
    return _atomic_add_return(-1, v);
}

static inline void _atomic_add(int a, atomic_ea_t v)
{
    _atomic_add_return(a, v);
}

static inline void _atomic_sub(int a, atomic_ea_t v)
{
    _atomic_sub_return(a, v);
}

static inline void _atomic_inc(atomic_ea_t v)
{
    _atomic_add_return(1, v);
}

static inline void _atomic_dec(atomic_ea_t v)
{
    _atomic_add_return(-1, v);
}

static inline int _atomic_sub_and_test(int a, atomic_ea_t v)
{
    return _atomic_sub_return(a, v) == 0;
}

static inline int _atomic_dec_and_test(atomic_ea_t v)
{
    return _atomic_dec_return(v) == 0;
}

/* Returns the old value minus 1, which it stores unless it is negative. */
static inline int _atomic_dec_if_positive(atomic_ea_t v)
{
    int value;

    do
        value = _sync_load(v) - 1;
    while (value >= 0 && !_sync_store(v, value));
    return value;
}

/* Replaces `from` by `to`. Returns 0 at once if the word is something else. */
static inline int _sync_replace(eaddr_t ea, int from, int to)
{
    while (_sync_load(ea) == from)
        if (_sync_store(ea, to)) {
            _sync_acquire();
            return 1;
        }
    return 0;
}

/* Mutexes: 1 while somebody holds the mutex. mutex_trylock returns whether the caller holds it now. */
static inline void _mutex_init(mutex_ea_t lock)
{
    _atomic_set(lock, 0);
}

static inline int _mutex_trylock(mutex_ea_t lock)
{
    return _sync_replace(lock, 0, 1);
}

static inline void _mutex_lock(mutex_ea_t lock)
{
    while (!_mutex_trylock(lock))
        _sync_pause();
}

static inline void _mutex_unlock(mutex_ea_t lock)
{
    _sync_release();
    _atomic_set(lock, 0);
}

/* Condition variables: the number of waits that have begun (upper 16 bits) and of those that were ended by a
 * signal (lower 16 bits), modulo 2^16. A wait's own number is its turn, so a later wait cannot take an earlier
 * wait's signal. At most 32000 waits may go on at once. */
static inline void _cond_init(cond_ea_t cond)
{
    _atomic_set(cond, 0);
}

static inline void _cond_wait(cond_ea_t cond, mutex_ea_t mutex)
{
    unsigned int turn = ((unsigned int)_atomic_add_return(0x10000, cond) >> 16) & 0xffff;

    _mutex_unlock(mutex);
    while ((short)((unsigned int)_atomic_read(cond) - turn) < 0)
        _sync_pause();
    _mutex_lock(mutex);
}

/* Ends the longest wait, or all waits. */
static inline void _sync_end_waits(cond_ea_t cond, int all)
{
    unsigned int state, begun, ended;

    do {
        state = (unsigned int)_sync_load(cond);
        begun = state >> 16;
        ended = state & 0xffff;
        if (begun == ended)
            return;
        ended = all ? begun : (ended + 1) & 0xffff;
    } while (!_sync_store(cond, (int)(begun << 16 | ended)));
}

static inline void _cond_signal(cond_ea_t cond)
{
    _sync_end_waits(cond, 0);
}

static inline void _cond_broadcast(cond_ea_t cond)
{
    _sync_end_waits(cond, 1);
}

/* Completions: the number of waits that may still end, or _SYNC_ALL once complete_all was called. */
#define _SYNC_ALL 0x40000000

static inline void _init_completion(completion_ea_t completion)
{
    _atomic_set(completion, 0);
}

static inline void _complete(completion_ea_t completion)
{
    int count;

    _sync_release();
    do
        count = _sync_load(completion);
    while (count < _SYNC_ALL && !_sync_store(completion, count + 1));
}

static inline void _complete_all(completion_ea_t completion)
{
    _sync_release();
    _atomic_set(completion, _SYNC_ALL);
}

static inline void _wait_for_completion(completion_ea_t completion)
{
    int count;

    do {
        while ((count = _sync_load(completion)) == 0)
            _sync_pause();
    } while (count < _SYNC_ALL && !_sync_store(completion, count - 1));
    _sync_acquire();
}

/* Locks of one writer (-1) or several readers (their number). Readers can keep a writer waiting for ever. The
 * trylock functions return whether the caller holds the lock now. */
static inline int _read_trylock(eaddr_t lock)
{
    int readers;

    while ((readers = _sync_load(lock)) >= 0)
        if (_sync_store(lock, readers + 1)) {
            _sync_acquire();
            return 1;
        }
    return 0;
}

static inline void _read_lock(eaddr_t lock)
{
    while (!_read_trylock(lock))
        _sync_pause();
}

static inline void _read_unlock(eaddr_t lock)
{
    _sync_release();
    _atomic_dec(lock);
}

static inline int _write_trylock(eaddr_t lock)
{
    return _sync_replace(lock, 0, -1);
}

static inline void _write_lock(eaddr_t lock)
{
    while (!_write_trylock(lock))
        _sync_pause();
}

static inline void _write_unlock(eaddr_t lock)
{
    _sync_release();
    _atomic_set(lock, 0);
}

#endif
