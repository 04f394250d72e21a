/* Functions shared by the PPE sides: an SPE program in its own thread, and checks.
 *
 * A context runs in the thread that calls spe_context_run, so a program for several SPEs needs a thread for
 * each of them.
 */
#ifndef THREADS_H
#define THREADS_H

#include "check.h"

#include <libspe2.h>
#include <pthread.h>

#define SPE_THREADS_MAX 32
#define LINE_BYTES 128

struct spe_thread {
    spe_context_ptr_t spe;
    pthread_t thread;
    void *argp, *envp;
    int answer; /* result of spe_context_run */
    spe_stop_info_t stop;
};

static inline void *run_spe(void *closure)
{
    struct spe_thread *thread = closure;
    unsigned int entry = SPE_DEFAULT_ENTRY;

    thread->answer = spe_context_run(thread->spe, &entry, 0, thread->argp, thread->envp, &thread->stop);
    return NULL;
}

/* A context with a loaded program that does not run yet. */
static inline spe_context_ptr_t loaded(spe_program_handle_t *program, unsigned int flags)
{
    spe_context_ptr_t spe = spe_context_create(flags, NULL);

    CHECK(spe != NULL);
    CHECK(spe_program_load(spe, program) == 0);
    return spe;
}

/* Runs a context in a new thread. */
static inline void start_loaded(struct spe_thread *thread, spe_context_ptr_t spe, void *argp, void *envp)
{
    thread->spe = spe;
    thread->argp = argp;
    thread->envp = envp;
    CHECK(pthread_create(&thread->thread, NULL, run_spe, thread) == 0);
}

static inline void start_spe(struct spe_thread *thread, spe_program_handle_t *program, unsigned int flags,
                             void *argp, void *envp)
{
    start_loaded(thread, loaded(program, flags), argp, envp);
}

/* Waits for the end of a thread, which must be an exit, and destroys its context. */
static inline int exit_status(struct spe_thread *thread)
{
    CHECK(pthread_join(thread->thread, NULL) == 0);
    CHECK(thread->answer == 0 && thread->stop.stop_reason == SPE_EXIT);
    CHECK(spe_context_destroy(thread->spe) == 0);
    return thread->stop.result.spe_exit_code;
}

/* Memory aligned to a line, with arbitrary contents. */
static inline void *untouched_lines(size_t bytes)
{
    void *block;

    CHECK(posix_memalign(&block, LINE_BYTES, bytes) == 0);
    return block;
}

/* Memory aligned to a line, filled with zeros. */
static inline void *lines(size_t bytes)
{
    return memset(untouched_lines(bytes), 0, bytes);
}

#endif
