/* Gangs: directories of spufs in which contexts are made. */
#include "internal.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "spu_calls.h"

spe_gang_context_ptr_t spe_gang_context_create(unsigned int flags)
{
    spe_gang_context_ptr_t gang;
    struct spe_gang_context_base_priv *private;

    if (flags) {
        errno = EINVAL;
        return NULL;
    }
    gang = calloc(1, sizeof *gang);
    private = calloc(1, sizeof *private);
    if (!gang || !private) {
        errno = ENOMEM;
        goto failed;
    }
    snprintf(private->path, sizeof private->path, "%s/gang-%lu-%lu", SPUFS_ROOT, (unsigned long)getpid(),
             (unsigned long)gang);
    private->directory = syscall(SYS_spu_create, private->path, SPU_CREATE_GANG, 0700, -1);
    if (private->directory < 0)
        goto failed;
    gang->base_private = private;
    return gang;

failed:
    free(gang);
    free(private);
    return NULL;
}

int spe_gang_context_destroy(spe_gang_context_ptr_t gang)
{
    if (!gang) {
        errno = ESRCH;
        return -1;
    }
    if (gang->base_private->contexts > 0) {
        errno = EAGAIN;
        return -1;
    }
    close(gang->base_private->directory);
    free(gang->base_private);
    free(gang);
    return 0;
}
