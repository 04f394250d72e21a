/* Mutexes of <libsync.h>. */
#include <libsync.h>

void mutex_init(mutex_ea_t lock)
{
    _mutex_init(lock);
}

void mutex_lock(mutex_ea_t lock)
{
    _mutex_lock(lock);
}

int mutex_trylock(mutex_ea_t lock)
{
    return _mutex_trylock(lock);
}

void mutex_unlock(mutex_ea_t lock)
{
    _mutex_unlock(lock);
}
