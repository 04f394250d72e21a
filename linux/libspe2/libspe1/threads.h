/* Groups and SPE threads of version 1, shared by its files.
 *
 * A single lock guards everything: lists, states, and the requests of spe_kill to a thread.
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
    int destroyed; /* disappears with its last thread */
    int implicit;  /* made for a thread that was created without a group */
};

enum state { RUNNING, STOPPED, ENDED };

/* An event that has not been delivered yet. */
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
    int asked;  /* a signal that spe_kill has sent and the thread has not obeyed yet, or 0 */
    int status; /* the status of a stopped or ended thread, in the form of waitpid */
    int told;   /* whether spe_wait has reported this stop */
    int waited; /* whether somebody is in spe_wait for it */
    int pending_count;
    struct happening pending[PENDING_MAX];
};

extern pthread_mutex_t lock;
extern struct thread *threads;

/* Return NULL and set ESRCH if the group or thread does not exist. The caller holds the lock. */
struct group *find_group(spe_gid_t gid);
struct thread *find_thread(speid_t speid);
/* A new group with the attributes of spe_group_defaults, for one thread. The caller holds the lock. */
struct group *implicit_group(void);
/* Whether a thread belongs to a group. SPE_DEF_GRP stands for all implicit groups. */
int is_member(const struct thread *thread, spe_gid_t gid);
/* Whether a group was ever created. */
int has_groups(void);
/* Removes a destroyed group without threads. */
void drop_group(struct group *group);
/* The context of a thread. The caller does not hold the lock. */
spe_context_ptr_t context_of(speid_t speid);

#endif
