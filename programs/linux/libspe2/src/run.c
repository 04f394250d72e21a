/* Running a context: spu_run(2) again and again, as long as the program only stops for library calls. */
#include "internal.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REGISTER_BYTES 16
#define FIRST_ARGUMENT 3
#define ARGUMENTS 3

/* Fills $3, $4 and $5: a quadword each, with a 64-bit value in its first half. */
static int set_arguments(spe_context_ptr_t spe, unsigned int runflags, void *argp, void *envp)
{
    unsigned long long given[ARGUMENTS][2];

    if (runflags & SPE_RUN_USER_REGS) {
        memcpy(given, argp, sizeof given);
    } else {
        memset(given, 0, sizeof given);
        given[0][0] = (unsigned long)spe;
        given[1][0] = (unsigned long)argp;
        given[2][0] = (unsigned long)envp;
    }
    return context_write_once(spe, "regs", given, sizeof given, FIRST_ARGUMENT * REGISTER_BYTES);
}

/* A program that goes on behind a stop keeps its registers, unless the caller brings others. */
static int prepare(spe_context_ptr_t spe, unsigned int *entry, unsigned int runflags, void *argp, void *envp)
{
    struct spe_context_base_priv *context = spe->base_private;
    int anew = *entry == SPE_DEFAULT_ENTRY || !context->started;

    if (*entry == SPE_DEFAULT_ENTRY)
        *entry = context->entry;
    if ((anew || runflags & SPE_RUN_USER_REGS) && set_arguments(spe, runflags, argp, envp))
        return -1;
    context->started = 1;
    return 0;
}

static int is_callback(int status, unsigned int runflags)
{
    unsigned int code = status >= 0 && STOPPED_BY_STOP(status) ? STOP_CODE(status) : 0;

    return !(runflags & SPE_NO_CALLBACKS) && code >= FIRST_CALLBACK && code < FIRST_CALLBACK + CALLBACK_COUNT;
}

/* The library call of a stop; the word behind it says which, and the program goes on behind that. */
static int carry_out(spe_context_ptr_t spe, int status, unsigned int *entry)
{
    const char *at = spe->base_private->local_store + (*entry & (LOCAL_STORE_BYTES - 4));
    int failed = callback_run(spe, STOP_CODE(status) - FIRST_CALLBACK, *(const volatile unsigned int *)at);

    if (!failed)
        *entry = (*entry + 4) & (LOCAL_STORE_BYTES - 4);
    return failed;
}

static int run(spe_context_ptr_t spe, unsigned int *entry, unsigned int runflags, spe_stop_info_t *info)
{
    for (;;) {
        unsigned int event = 0;
        int status = syscall(SYS_spu_run, spe->base_private->directory, entry, &event);
        int failed;

        if (event || !is_callback(status, runflags))
            return stop_decode(status, errno, event, info);
        failed = carry_out(spe, status, entry);
        if (failed) {
            info->stop_reason = SPE_CALLBACK_ERROR;
            info->result.spe_callback_error = failed;
            info->spu_status = status;
            errno = EFAULT;
            return -1;
        }
    }
}

int spe_context_run(spe_context_ptr_t spe, unsigned int *entry, unsigned int runflags, void *argp,
                    void *envp, spe_stop_info_t *stopinfo)
{
    spe_stop_info_t info;
    int answer, error;

    if (!spe) {
        errno = ESRCH;
        return -1;
    }
    if (!entry || (runflags & SPE_RUN_USER_REGS && !argp)) {
        errno = EINVAL;
        return -1;
    }
    memset(&info, 0, sizeof info);
    __sync_add_and_fetch(&spe->base_private->running, 1);
    if (prepare(spe, entry, runflags, argp, envp))
        answer = stop_decode(-1, errno, 0, &info);
    else
        answer = run(spe, entry, runflags, &info);
    error = errno;
    __sync_sub_and_fetch(&spe->base_private->running, 1);
    stops_push(spe, &info);
    if (stopinfo)
        *stopinfo = info;
    errno = error;
    return answer;
}
