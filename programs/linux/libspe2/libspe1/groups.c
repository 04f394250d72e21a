/* Groups of SPE threads. */
#include <sched.h>
#include <stdlib.h>

#include "threads.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The group of threads that are created without one. */
static struct group standard = {NULL, SCHED_OTHER, 0, 0, 0, 0};
static struct group *groups = &standard;

struct group *find_group(spe_gid_t gid)
{
    struct group *group = gid ? groups : &standard;

    while (gid && group && (group != gid || (group->destroyed && !group->threads)))
        group = group->next;
    if (!group)
        errno = ESRCH;
    return group;
}

void drop_group(struct group *group)
{
    struct group **link = &groups;

    if (!group->destroyed || group->threads || group == &standard)
        return;
    while (*link != group)
        link = &(*link)->next;
    *link = group->next;
    free(group);
}

spe_gid_t spe_create_group(int policy, int priority, int spe_events)
{
    struct group *group;

    if (policy != SCHED_OTHER && policy != SCHED_RR && policy != SCHED_FIFO) {
        errno = EINVAL;
        return NULL;
    }
    group = calloc(1, sizeof *group);
    if (!group)
        return NULL;
    group->policy = policy;
    group->priority = priority;
    group->events = spe_events != 0;
    pthread_mutex_lock(&lock);
    group->next = groups;
    groups = group;
    pthread_mutex_unlock(&lock);
    return group;
}

int spe_destroy_group(spe_gid_t spe_gid)
{
    struct group *group;

    pthread_mutex_lock(&lock);
    group = spe_gid ? find_group(spe_gid) : NULL;
    if (group) {
        group->destroyed = 1;
        drop_group(group);
    } else {
        errno = ESRCH;
    }
    pthread_mutex_unlock(&lock);
    return group ? 0 : -1;
}

int spe_group_defaults(int policy, int priority, int spe_events)
{
    int failed;

    pthread_mutex_lock(&lock);
    failed = standard.threads > 0;
    if (!failed) {
        standard.policy = policy;
        standard.priority = priority;
        standard.events = spe_events != 0;
    }
    pthread_mutex_unlock(&lock);
    if (failed)
        errno = EAGAIN;
    return failed ? -1 : 0;
}

static int of_group(spe_gid_t gid, int (*what)(const struct group *group))
{
    struct group *group;
    int answer;

    pthread_mutex_lock(&lock);
    group = find_group(gid);
    answer = group ? what(group) : -1;
    pthread_mutex_unlock(&lock);
    return answer;
}

static int most(const struct group *group)
{
    (void)group;
    return MAX_THREADS_PER_GROUP;
}

static int policy(const struct group *group)
{
    return group->policy;
}

static int priority(const struct group *group)
{
    return group->priority;
}

int spe_group_max(spe_gid_t spe_gid)
{
    return of_group(spe_gid, most);
}

int spe_get_policy(spe_gid_t gid)
{
    return of_group(gid, policy);
}

int spe_get_priority(spe_gid_t gid)
{
    return of_group(gid, priority);
}

int spe_set_priority(spe_gid_t gid, int new_priority)
{
    struct group *group;

    pthread_mutex_lock(&lock);
    group = find_group(gid);
    if (group)
        group->priority = new_priority;
    pthread_mutex_unlock(&lock);
    return group ? 0 : -1;
}

int spe_get_threads(spe_gid_t gid, speid_t *spe_ids)
{
    struct thread *thread;
    struct group *group;
    int n = 0;

    pthread_mutex_lock(&lock);
    group = find_group(gid);
    for (thread = threads; group && thread; thread = thread->next) {
        if (thread->group != group)
            continue;
        if (spe_ids)
            spe_ids[n] = thread;
        n++;
    }
    pthread_mutex_unlock(&lock);
    return group ? n : -1;
}
