/* Running a context: repeats spu_run(2) as long as the program only stops for library calls. */
#include "internal.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Registers are quadwords. A function's arguments are in the registers' first words. */
#define REGISTERS 128
#define STACK_POINTER 1
#define FIRST_ARGUMENT 3
#define ARGUMENTS 3
#define LOCAL_STORE_ADDRESS 6
/* The start of the stack, for programs that do not choose it themselves. */
#define STACK_START (LOCAL_STORE_BYTES - 16)
/* The isolation loader's code for a program that was loaded successfully and runs now. */
#define ISOLATED_LOADED 0x2206

/* Sets all registers for the entry of a program: its stack, its arguments, and the address of its local
 * store in the PPE's memory. The other registers are 0. */
static int set_registers(spe_context_ptr_t spe, unsigned int runflags, void *argp, void *envp)
{
    unsigned long long given[REGISTERS][2];

    memset(given, 0, sizeof given);
    given[STACK_POINTER][0] = (unsigned long long)STACK_START << 32;
    if (runflags & SPE_RUN_USER_REGS) {
        memcpy(given[FIRST_ARGUMENT], argp, ARGUMENTS * sizeof given[0]);
    } else {
        given[FIRST_ARGUMENT][0] = (unsigned long)spe;
        given[FIRST_ARGUMENT + 1][0] = (unsigned long)argp;
        given[FIRST_ARGUMENT + 2][0] = (unsigned long)envp;
    }
    given[LOCAL_STORE_ADDRESS][0] = (unsigned long)spe->base_private->local_store;
    return context_write_once(spe, "regs", given, sizeof given, 0);
}

/* A program that continues after a stop keeps its registers. */
static int prepare(spe_context_ptr_t spe, unsigned int *entry, unsigned int runflags, void *argp, void *envp)
{
    unsigned int start = spe->base_private->entry;

    if (*entry == SPE_DEFAULT_ENTRY)
        *entry = start;
    return *entry == start ? set_registers(spe, runflags, argp, envp) : 0;
}

static int is_callback(int status, unsigned int runflags)
{
    unsigned int code = status >= 0 && STOPPED_BY_STOP(status) ? STOP_CODE(status) : 0;

    return !(runflags & SPE_NO_CALLBACKS) && code >= FIRST_CALLBACK && code < FIRST_CALLBACK + CALLBACK_COUNT;
}

/* Carries out the library call of a stop. The next word belongs to the call, and the program continues after it. */
static int carry_out(spe_context_ptr_t spe, int status, unsigned int *entry)
{
    int failed = callback_run(spe, STOP_CODE(status) - FIRST_CALLBACK, *entry);

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

        if (!event && status >= 0 && STOPPED_BY_STOP(status) && STOP_CODE(status) == ISOLATED_LOADED)
            continue;
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
