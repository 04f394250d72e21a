/* Library calls of SPE programs, and their handlers. */
#include "internal.h"

typedef int (*callback)(void *local_store, unsigned int address);

/* Handlers by number. newlib uses the stop codes 0x2100 (C99), 0x2101 (POSIX.1) and 0x2105 (effective
 * addresses). The code 0x2104 (system calls) never arrives here, because the kernel carries out these
 * calls. */
static callback handlers[CALLBACK_COUNT] = {[0] = call_c99, [1] = call_posix1, [5] = call_ea};

static int is_reserved(unsigned int callnum)
{
    return callnum == 0 || callnum == 1 || callnum == 5;
}

int callback_run(spe_context_ptr_t spe, unsigned int callnum, unsigned int address)
{
    callback handler = handlers[callnum];

    return handler ? handler(spe->base_private->local_store, address) : -1;
}

int spe_callback_handler_register(void *handler, unsigned int callnum, unsigned int mode)
{
    if (!handler || callnum >= CALLBACK_COUNT || (mode != SPE_CALLBACK_NEW && mode != SPE_CALLBACK_UPDATE)) {
        errno = EINVAL;
        return -1;
    }
    if (mode == SPE_CALLBACK_NEW && handlers[callnum]) {
        errno = EACCES;
        return -1;
    }
    if (mode == SPE_CALLBACK_UPDATE && !handlers[callnum]) {
        errno = ESRCH;
        return -1;
    }
    handlers[callnum] = (callback)handler;
    return 0;
}

int spe_callback_handler_deregister(unsigned int callnum)
{
    if (callnum >= CALLBACK_COUNT) {
        errno = EINVAL;
        return -1;
    }
    if (is_reserved(callnum)) {
        errno = EACCES;
        return -1;
    }
    if (!handlers[callnum]) {
        errno = ESRCH;
        return -1;
    }
    handlers[callnum] = NULL;
    return 0;
}

void *spe_callback_handler_query(unsigned int callnum)
{
    if (callnum >= CALLBACK_COUNT) {
        errno = EINVAL;
        return NULL;
    }
    if (!handlers[callnum])
        errno = ESRCH;
    return (void *)handlers[callnum];
}
