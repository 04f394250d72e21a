/* Locks of readers and writers of <libsync.h>. */
#include <libsync.h>

void read_lock(eaddr_t lock)
{
    _read_lock(lock);
}

int read_trylock(eaddr_t lock)
{
    return _read_trylock(lock);
}

void read_unlock(eaddr_t lock)
{
    _read_unlock(lock);
}

void write_lock(eaddr_t lock)
{
    _write_lock(lock);
}

int write_trylock(eaddr_t lock)
{
    return _write_trylock(lock);
}

void write_unlock(eaddr_t lock)
{
    _write_unlock(lock);
}
