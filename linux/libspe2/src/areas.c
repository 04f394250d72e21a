/* The addresses of local store and problem state in the program's memory. */
#include "internal.h"

int registers_usable(spe_context_ptr_t spe)
{
    return spe->base_private->problem_state && spe->base_private->running;
}

void *spe_ls_area_get(spe_context_ptr_t spe)
{
    if (!spe) {
        errno = ESRCH;
        return NULL;
    }
    return spe->base_private->local_store;
}

int spe_ls_size_get(spe_context_ptr_t spe)
{
    if (!spe) {
        errno = ESRCH;
        return -1;
    }
    return LOCAL_STORE_BYTES;
}

void *spe_ps_area_get(spe_context_ptr_t spe, enum ps_area area)
{
    static const unsigned int AT[] = {
        [SPE_MSSYNC_AREA] = MSSYNC_AT,           [SPE_MFC_COMMAND_AREA] = MFC_COMMAND_AT,
        [SPE_CONTROL_AREA] = CONTROL_AT,         [SPE_SIG_NOTIFY_1_AREA] = SIG_NOTIFY_1_AT,
        [SPE_SIG_NOTIFY_2_AREA] = SIG_NOTIFY_2_AT,
    };

    if (!spe) {
        errno = ESRCH;
        return NULL;
    }
    if (!spe->base_private->problem_state) {
        errno = EACCES;
        return NULL;
    }
    if ((unsigned int)area >= sizeof AT / sizeof AT[0]) {
        errno = EINVAL;
        return NULL;
    }
    return spe->base_private->problem_state + AT[area];
}
