/* Groups and SPE threads of version 1, as its files share them.
 *
 * One lock guards all: lists, states, and what spe_kill asks of a thread.
 */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>

#include "libspe.h"

#define PENDING_MAX 8

struct group {
    struct group *next;
    int policy, priority, events;
    int threads;
    int destroyed; /* goes with its last thread */
};

enum state { RUNNING, STOPPED, ENDED };

/* Something that happened and was not asked for yet. */
struct happening {
    int event;
    unsigned long data;
};

struct thread {
    struct thread *next;
    struct group *group;
    spe_context_ptr_t spe;
    pthread_t thread;
    pthread_cond_t changed;
    void *argp, *envp, *app_data;
    unsigned int runflags;
    enum state state;
    int asked;  /* a signal that spe_kill has sent and that was not obeyed yet, or 0 */
    int status; /* as waitpid has it, of a thread that has stopped or ended */
    int told;   /* spe_wait has told of this stop */
    int pending_count;
    struct happening pending[PENDING_MAX];
};

extern pthread_mutex_t lock;
extern struct thread *threads;

/* NULL and ESRCH if there is none; to be called with the lock. */
struct group *find_group(spe_gid_t gid);
struct thread *find_thread(speid_t speid);
/* A group that is destroyed and has no thread goes. */
void drop_group(struct group *group);
/* The context of a thread, without the lock. */
spe_context_ptr_t context_of(speid_t speid);

#endif
