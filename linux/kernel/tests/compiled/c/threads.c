/* POSIX threads: shared state, and threads that wait for each other. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#define THREADS 6

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int waiting, total, phases[THREADS], atomic_total;
static __thread int own = 5;

static void *work(void *argument)
{
    long number = (long)argument;
    own += number;
    for (int i = 0; i < 500; i++) {
        pthread_mutex_lock(&mutex);
        total++;
        pthread_mutex_unlock(&mutex);
        __sync_fetch_and_add(&atomic_total, 1);
    }
    pthread_mutex_lock(&mutex);
    waiting++;
    while (waiting < THREADS)
        pthread_cond_wait(&changed, &mutex);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    for (int phase = 0; phase < 20; phase++) {
        phases[number] = phase;
        pthread_barrier_wait(&barrier);
        for (int other = 0; other < THREADS; other++)
            CHECK(phases[other] == phase);
        pthread_barrier_wait(&barrier);
    }
    pthread_rwlock_rdlock(&lock);
    sched_yield();
    pthread_rwlock_unlock(&lock);
    sem_wait(&semaphore);
    return (void *)(long)own;
}

static void sharing(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, 0, THREADS);
    sem_init(&semaphore, 0, 0);
    pthread_rwlock_wrlock(&lock);
    for (long i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], 0, work, (void *)i) == 0);
    usleep(1000);
    pthread_rwlock_unlock(&lock);
    for (int i = 0; i < THREADS; i++)
        sem_post(&semaphore);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        CHECK(pthread_join(threads[i], &result) == 0 && (long)result == 5 + i);
    }
    CHECK(own == 5 && total == 500 * THREADS && atomic_total == 500 * THREADS);
}

static void *hold(void *argument)
{
    pthread_mutex_lock(argument);
    return 0;
}

static void *hold_for_a_while(void *argument)
{
    pthread_mutex_lock(argument);
    usleep(20000);
    pthread_mutex_unlock(argument);
    return 0;
}

static struct timespec in_ms(int ms)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += ms * 1000000L;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void mutexes(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutex_t robust, inheriting;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    pthread_create(&thread, 0, hold, &robust);
    pthread_join(thread, 0);
    CHECK(pthread_mutex_lock(&robust) == EOWNERDEAD);
    CHECK(pthread_mutex_consistent(&robust) == 0 && pthread_mutex_unlock(&robust) == 0);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&inheriting, &attributes);
    pthread_create(&thread, 0, hold_for_a_while, &inheriting);
    usleep(5000);
    struct timespec time = in_ms(2);
    CHECK(pthread_mutex_trylock(&inheriting) == EBUSY);
    CHECK(pthread_mutex_timedlock(&inheriting, &time) == ETIMEDOUT);
    CHECK(pthread_mutex_lock(&inheriting) == 0 && pthread_mutex_unlock(&inheriting) == 0);
    pthread_join(thread, 0);
}

static void timeouts(void)
{
    struct timespec time = in_ms(3), before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    pthread_mutex_lock(&mutex);
    CHECK(pthread_cond_timedwait(&changed, &mutex, &time) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    clock_gettime(CLOCK_MONOTONIC, &after);
    long us = (after.tv_sec - before.tv_sec) * 1000000 + (after.tv_nsec - before.tv_nsec) / 1000;
    CHECK(us >= 2900 && us < 100000);
    time = in_ms(1);
    CHECK(sem_timedwait(&semaphore, &time) == -1 && errno == ETIMEDOUT);
}

static int cleaned;

static void clean(void *unused)
{
    (void)unused;
    cleaned++;
}

static void *forever(void *unused)
{
    pthread_cleanup_push(clean, unused);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return 0;
}

static void cancelling(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, forever, 0);
    usleep(1000);
    CHECK(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0);
    CHECK(result == PTHREAD_CANCELED && cleaned == 1);
}

static void *spin(void *argument)
{
    while (!__atomic_load_n((int *)argument, __ATOMIC_ACQUIRE))
        ;
    return 0;
}

/* More spinning threads than hardware threads: time slices must end. */
static void slices(void)
{
    pthread_t threads[3];
    int stop = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, spin, &stop);
    usleep(100);
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
}

static void places(void)
{
    cpu_set_t set;
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 2);
    for (int place = 1; place >= 0; place--) {
        CPU_ZERO(&set);
        CPU_SET(place, &set);
        CHECK(sched_setaffinity(0, sizeof set, &set) == 0 && sched_getcpu() == place);
    }
    CPU_ZERO(&set);
    CHECK(sched_setaffinity(0, sizeof set, &set) == -1 && errno == EINVAL);
}

int main(void)
{
    sharing();
    mutexes();
    timeouts();
    cancelling();
    slices();
    places();
    puts("ok");
    return 0;
}
