/* Groups of SPE threads. */
#include <sched.h>
#include <stdlib.h>

#include "threads.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define PRIORITY_MAX 99

/* The attributes of the groups of threads that are created without one. It never has threads itself. */
static struct group standard = {NULL, SCHED_OTHER, 0, 0, 0, 0, 0};
static struct group *groups = &standard;
static int created;

/* Realtime priorities begin at 1, others at 0. Other policies do not exist. */
static int is_valid(int policy, int priority)
{
    int is_realtime = policy == SCHED_RR || policy == SCHED_FIFO;
    int valid = (is_realtime || policy == SCHED_OTHER) && priority >= is_realtime && priority <= PRIORITY_MAX;

    if (!valid)
        errno = EINVAL;
    return valid;
}

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

static struct group *make_group(int policy, int priority, int events)
{
    struct group *group = calloc(1, sizeof *group);

    if (!group)
        return NULL;
    group->policy = policy;
    group->priority = priority;
    group->events = events != 0;
    group->next = groups;
    groups = group;
    created = 1;
    return group;
}

struct group *implicit_group(void)
{
    struct group *group = make_group(standard.policy, standard.priority, standard.events);

    if (group)
        group->destroyed = group->implicit = 1;
    return group;
}

int is_member(const struct thread *thread, spe_gid_t gid)
{
    return gid ? thread->group == gid : thread->group->implicit;
}

int has_groups(void)
{
    return created;
}

spe_gid_t spe_create_group(int policy, int priority, int spe_events)
{
    struct group *group;

    if (!is_valid(policy, priority))
        return NULL;
    pthread_mutex_lock(&lock);
    group = make_group(policy, priority, spe_events);
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
    if (!is_valid(policy, priority))
        return -1;
    pthread_mutex_lock(&lock);
    standard.policy = policy;
    standard.priority = priority;
    standard.events = spe_events != 0;
    pthread_mutex_unlock(&lock);
    return 0;
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
    return spe_count_physical_spes();
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
    if (group && !is_valid(group->policy, new_priority))
        group = NULL;
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
        if (!is_member(thread, gid))
            continue;
        if (spe_ids)
            spe_ids[n] = thread;
        n++;
    }
    pthread_mutex_unlock(&lock);
    return group ? n : -1;
}
