/* SPE threads: a context and a thread that runs it until its program exits.
 *
 * A program that stopped with a user-defined code waits for SIGCONT, if its group has events. In other groups
 * nobody would hear of the stop, and it ends the thread. spe_kill interrupts the run of a
 * context by SIGSPE, whose handler does nothing.
 */
#include "threads.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#define STATUS_OF_EXIT(code) ((code) << 8)
#define STATUS_OF_STOP(code) ((code) << 8 | 0x7f)
#define OBEY_NS 1000000

struct thread *threads;

struct thread *find_thread(speid_t speid)
{
    struct thread *thread = threads;

    while (thread && thread != speid)
        thread = thread->next;
    if (!thread)
        errno = ESRCH;
    return thread;
}

spe_context_ptr_t context_of(speid_t speid)
{
    struct thread *thread;

    pthread_mutex_lock(&lock);
    thread = find_thread(speid);
    pthread_mutex_unlock(&lock);
    return thread ? thread->spe : NULL;
}

/* The signal that ends a thread whose program caused a fault. */
static int signal_of(const spe_stop_info_t *stop)
{
    if (stop->stop_reason == SPE_RUNTIME_EXCEPTION)
        return stop->result.spe_runtime_exception == SPE_DMA_STORAGE ? SIGSEGV : SIGBUS;
    if (stop->stop_reason == SPE_RUNTIME_ERROR)
        return stop->result.spe_runtime_error == SPE_SPU_HALT ? SIGABRT : SIGILL;
    return stop->stop_reason == SPE_STOP_AND_SIGNAL ? SIGILL : SIGABRT;
}

static void become(struct thread *thread, enum state state, int status)
{
    thread->state = state;
    thread->status = status;
    thread->told = 0;
    pthread_cond_broadcast(&thread->changed);
}

/* Waits while the program is stopped. The caller holds the lock. Returns 0 if the thread must end. */
static int goes_on(struct thread *thread)
{
    while (thread->asked != SIGCONT && thread->asked != SIGKILL)
        pthread_cond_wait(&thread->changed, &lock);
    if (thread->asked == SIGKILL) {
        become(thread, ENDED, SIGKILL);
        return 0;
    }
    thread->asked = 0;
    become(thread, RUNNING, 0);
    return 1;
}

/* Handles one return of spe_context_run. The caller holds the lock. Returns 0 if the thread must end. */
static int follow(struct thread *thread, int answer, const spe_stop_info_t *stop)
{
    if (thread->asked == SIGKILL) {
        become(thread, ENDED, SIGKILL);
        return 0;
    }
    if (stop->stop_reason == SPE_EXIT) {
        become(thread, ENDED, STATUS_OF_EXIT(stop->result.spe_exit_code));
        return 0;
    }
    if (stop->stop_reason == SPE_STOP_AND_SIGNAL && thread->group->events) {
        become(thread, STOPPED, STATUS_OF_STOP(answer));
        return goes_on(thread);
    }
    if (stop->stop_reason == SPE_RUNTIME_FATAL && stop->result.spe_runtime_fatal == EINTR) {
        if (thread->asked != SIGSTOP)
            return 1;
        become(thread, STOPPED, STATUS_OF_STOP(SIGSTOP));
        return goes_on(thread);
    }
    become(thread, ENDED, signal_of(stop));
    return 0;
}

static void *run(void *closure)
{
    struct thread *thread = closure;
    unsigned int entry = SPE_DEFAULT_ENTRY, runflags = thread->runflags;
    spe_stop_info_t stop;
    int more;

    do {
        int answer = spe_context_run(thread->spe, &entry, runflags, thread->argp, thread->envp, &stop);

        runflags = 0;
        pthread_mutex_lock(&lock);
        more = follow(thread, answer, &stop);
        pthread_mutex_unlock(&lock);
    } while (more);
    return NULL;
}

static void nothing(int signal)
{
    (void)signal;
}

static void install(void)
{
    struct sigaction action = {.sa_handler = nothing};

    sigaction(SIGSPE, &action, NULL);
}

/* Adds a thread to its group, if there is room. */
static int enter(struct thread *thread, spe_gid_t gid)
{
    struct group *group;

    pthread_mutex_lock(&lock);
    group = gid ? find_group(gid) : implicit_group();
    if (group && group->threads >= MAX_THREADS_PER_GROUP) {
        errno = ENOMEM;
        group = NULL;
    }
    if (group) {
        group->threads++;
        thread->group = group;
        thread->next = threads;
        threads = thread;
    }
    pthread_mutex_unlock(&lock);
    return group ? 0 : -1;
}

static void leave(struct thread *thread)
{
    struct thread **link = &threads;

    pthread_mutex_lock(&lock);
    while (*link != thread)
        link = &(*link)->next;
    *link = thread->next;
    thread->group->threads--;
    drop_group(thread->group);
    pthread_mutex_unlock(&lock);
}

static void unmake(struct thread *thread)
{
    int error = errno;

    if (thread->group)
        leave(thread);
    if (thread->spe)
        spe_context_destroy(thread->spe);
    pthread_cond_destroy(&thread->changed);
    free(thread);
    errno = error;
}

speid_t spe_create_thread(spe_gid_t gid, spe_program_handle_t *handle, void *argp, void *envp,
                          unsigned long mask, int flags)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const int known = SPE_CFG_SIGNOTIFY1_OR | SPE_CFG_SIGNOTIFY2_OR | SPE_MAP_PS;
    struct thread *thread;
    int error;

    if (!handle || flags & ~(known | SPE_USER_REGS) || (flags & SPE_USER_REGS && !argp) ||
        !(mask & ((1ul << spe_count_physical_spes()) - 1))) {
        errno = EINVAL;
        return NULL;
    }
    thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    pthread_cond_init(&thread->changed, NULL);
    thread->argp = argp;
    thread->envp = envp;
    thread->runflags = flags & SPE_USER_REGS ? SPE_RUN_USER_REGS : 0;
    pthread_once(&once, install);
    if (enter(thread, gid))
        goto failed;
    thread->spe = spe_context_create((flags & known) | (thread->group->events ? SPE_EVENTS_ENABLE : 0), NULL);
    if (!thread->spe || spe_program_load(thread->spe, handle))
        goto failed;
    error = pthread_create(&thread->thread, NULL, run, thread);
    if (!error)
        return thread;
    errno = error;
failed:
    unmake(thread);
    return NULL;
}

/* Whether spe_wait can report something of a thread. */
static int has_news(const struct thread *thread, int options)
{
    return thread->state == ENDED || (options & WUNTRACED && thread->state == STOPPED && !thread->told);
}

int spe_wait(speid_t speid, int *status, int options)
{
    struct thread *thread = NULL;
    int ended, news;

    pthread_mutex_lock(&lock);
    if (options & ~(WNOHANG | WUNTRACED))
        errno = EINVAL;
    else
        thread = find_thread(speid);
    if (thread && thread->waited) {
        errno = EAGAIN;
        thread = NULL;
    }
    if (!thread) {
        pthread_mutex_unlock(&lock);
        return -1;
    }
    thread->waited = 1;
    while (!has_news(thread, options) && !(options & WNOHANG))
        pthread_cond_wait(&thread->changed, &lock);
    news = has_news(thread, options);
    ended = thread->waited = thread->state == ENDED;
    thread->told |= news;
    if (status)
        *status = news ? thread->status : 0;
    pthread_mutex_unlock(&lock);
    if (ended) {
        pthread_join(thread->thread, NULL);
        unmake(thread);
    }
    return 0;
}

/* Interrupts the run repeatedly until the thread reacts, because a signal between two runs would be lost. */
static void insist(struct thread *thread)
{
    while (thread->state == RUNNING && thread->asked) {
        struct timespec until;

        pthread_kill(thread->thread, SIGSPE);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += OBEY_NS;
        if (until.tv_nsec >= 1000000000) {
            until.tv_sec++;
            until.tv_nsec -= 1000000000;
        }
        pthread_cond_timedwait(&thread->changed, &lock, &until);
    }
}

int spe_kill(speid_t speid, int sig)
{
    struct thread *thread;

    if (sig != SIGCONT && sig != SIGKILL && sig != SIGSTOP) {
        errno = EINVAL;
        return -1;
    }
    pthread_mutex_lock(&lock);
    thread = find_thread(speid);
    if (thread && thread->state != ENDED && !(sig == SIGCONT && thread->state == RUNNING)) {
        thread->asked = sig;
        pthread_cond_broadcast(&thread->changed);
        insist(thread);
    }
    pthread_mutex_unlock(&lock);
    return thread ? 0 : -1;
}

spe_gid_t spe_get_group(speid_t speid)
{
    struct thread *thread;

    pthread_mutex_lock(&lock);
    thread = find_thread(speid);
    pthread_mutex_unlock(&lock);
    return thread ? thread->group : NULL;
}

int spe_set_app_data(speid_t speid, void *data)
{
    struct thread *thread;

    pthread_mutex_lock(&lock);
    thread = find_thread(speid);
    if (thread)
        thread->app_data = data;
    pthread_mutex_unlock(&lock);
    return thread ? 0 : -1;
}

int spe_get_app_data(speid_t speid, void **p_data)
{
    struct thread *thread;

    if (!p_data) {
        errno = EINVAL;
        return -1;
    }
    pthread_mutex_lock(&lock);
    thread = find_thread(speid);
    if (thread)
        *p_data = thread->app_data;
    pthread_mutex_unlock(&lock);
    return thread ? 0 : -1;
}
