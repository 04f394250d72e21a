/* Condition variables of <libsync.h>. */
#include <libsync.h>

void cond_init(cond_ea_t cond)
{
    _cond_init(cond);
}

void cond_wait(cond_ea_t cond, mutex_ea_t mutex)
{
    _cond_wait(cond, mutex);
}

void cond_signal(cond_ea_t cond)
{
    _cond_signal(cond);
}

void cond_broadcast(cond_ea_t cond)
{
    _cond_broadcast(cond);
}
