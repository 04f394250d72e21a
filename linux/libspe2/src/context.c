/* Contexts: spu_create(2) creates them, and their local store is mapped. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "spu_calls.h"

#define KNOWN_FLAGS                                                                                    \
    (SPE_CFG_SIGNOTIFY1_OR | SPE_CFG_SIGNOTIFY2_OR | SPE_MAP_PS | SPE_ISOLATE | SPE_ISOLATE_EMULATE | \
     SPE_EVENTS_ENABLE | SPE_AFFINITY_MEMORY | SPE_NOSCHED)

static unsigned int kernel_flags(unsigned int flags, spe_context_ptr_t neighbor)
{
    unsigned int kernel = 0;

    if (flags & SPE_EVENTS_ENABLE)
        kernel |= SPU_CREATE_EVENTS_ENABLED;
    if (flags & SPE_NOSCHED)
        kernel |= SPU_CREATE_NOSCHED;
    /* The kernel requires both flags: an isolated context cannot be taken off its SPE. */
    if (flags & SPE_ISOLATE)
        kernel |= SPU_CREATE_ISOLATE | SPU_CREATE_NOSCHED;
    if (flags & SPE_AFFINITY_MEMORY)
        kernel |= SPU_CREATE_AFFINITY_MEM;
    if (neighbor)
        kernel |= SPU_CREATE_AFFINITY_SPU;
    return kernel;
}

/* Makes the directory of a context. Its name contains the process and the context, so it is unique. */
static int make_directory(spe_context_ptr_t spe, unsigned int flags, spe_context_ptr_t neighbor)
{
    struct spe_gang_context_base_priv *gang = spe->base_private->gang;
    int neighbor_directory = neighbor ? neighbor->base_private->directory : -1;
    char path[128];

    snprintf(path, sizeof path, "%s/spethread-%lu-%lu", gang ? gang->path : SPUFS_ROOT,
             (unsigned long)getpid(), (unsigned long)spe);
    return syscall(SYS_spu_create, path, kernel_flags(flags, neighbor), 0700, neighbor_directory);
}

static char *map(spe_context_ptr_t spe, enum context_file file, unsigned int bytes)
{
    int descriptor = context_file(spe, file);
    void *at;

    if (descriptor < 0)
        return NULL;
    at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void unmake(spe_context_ptr_t spe)
{
    struct spe_context_base_priv *context = spe->base_private;
    int error = errno;

    stops_destroy(spe);
    if (context->local_store)
        munmap(context->local_store, LOCAL_STORE_BYTES);
    if (context->problem_state)
        munmap(context->problem_state, PROBLEM_STATE_BYTES);
    context_close_files(context);
    pthread_mutex_destroy(&context->proxy);
    free(context);
    free(spe);
    errno = error;
}

/* Sets up everything that needs the new context's files. */
static int furnish(spe_context_ptr_t spe, unsigned int flags)
{
    struct spe_context_base_priv *context = spe->base_private;

    context->local_store = map(spe, FILE_MEM, LOCAL_STORE_BYTES);
    if (!context->local_store)
        return -1;
    if (flags & SPE_MAP_PS) {
        context->problem_state = map(spe, FILE_PSMAP, PROBLEM_STATE_BYTES);
        if (!context->problem_state)
            return -1;
    }
    if (flags & SPE_CFG_SIGNOTIFY1_OR && context_write_once(spe, "signal1_type", "1", 1, 0))
        return -1;
    if (flags & SPE_CFG_SIGNOTIFY2_OR && context_write_once(spe, "signal2_type", "1", 1, 0))
        return -1;
    return flags & SPE_EVENTS_ENABLE ? stops_create(spe) : 0;
}

static spe_context_ptr_t blank(unsigned int flags, spe_gang_context_ptr_t gang)
{
    spe_context_ptr_t spe = calloc(1, sizeof *spe);
    struct spe_context_base_priv *context = calloc(1, sizeof *context);
    int file;

    if (!spe || !context) {
        free(spe);
        free(context);
        errno = ENOMEM;
        return NULL;
    }
    spe->base_private = context;
    context->directory = -1;
    for (file = 0; file < FILE_COUNT; file++)
        context->files[file] = -1;
    context->flags = flags;
    context->gang = gang ? gang->base_private : NULL;
    pthread_mutex_init(&context->proxy, NULL);
    return spe;
}

static spe_context_ptr_t create(unsigned int flags, spe_context_ptr_t affinity_neighbor, spe_gang_context_ptr_t gang)
{
    spe_context_ptr_t spe;

    /* This library does not emulate isolation. */
    if (flags & ~KNOWN_FLAGS || flags & SPE_ISOLATE_EMULATE) {
        errno = EINVAL;
        return NULL;
    }
    if (affinity_neighbor && affinity_neighbor->base_private->gang != gang->base_private) {
        errno = ESRCH;
        return NULL;
    }
    spe = blank(flags, gang);
    if (!spe)
        return NULL;
    spe->base_private->directory = make_directory(spe, flags, affinity_neighbor);
    if (spe->base_private->directory < 0 || furnish(spe, flags)) {
        unmake(spe);
        return NULL;
    }
    if (gang)
        __sync_add_and_fetch(&gang->base_private->contexts, 1);
    return spe;
}

spe_context_ptr_t spe_context_create(unsigned int flags, spe_gang_context_ptr_t gang)
{
    return create(flags, NULL, gang);
}

spe_context_ptr_t spe_context_create_affinity(unsigned int flags, spe_context_ptr_t affinity_neighbor,
                                              spe_gang_context_ptr_t gang)
{
    if (!gang) {
        errno = ESRCH;
        return NULL;
    }
    return create(flags, affinity_neighbor, gang);
}

int spe_context_destroy(spe_context_ptr_t spe)
{
    if (!spe) {
        errno = ESRCH;
        return -1;
    }
    if (spe->base_private->running) {
        errno = EAGAIN;
        return -1;
    }
    if (spe->base_private->gang)
        __sync_sub_and_fetch(&spe->base_private->gang->contexts, 1);
    events_forget(spe);
    unmake(spe);
    return 0;
}
