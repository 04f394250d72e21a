/* Clocks, sleep and timers. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static volatile int rung;

static void ring(int number)
{
    (void)number;
    rung++;
}

static long long now(int clock)
{
    struct timespec time;
    CHECK(clock_gettime(clock, &time) == 0);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void clocks(void)
{
    long long before = now(CLOCK_MONOTONIC);
    struct timespec time = {0, 5000000};
    CHECK(nanosleep(&time, 0) == 0);
    long long after = now(CLOCK_MONOTONIC);
    CHECK(after - before >= 5000000 && after - before < 5200000);
    struct timeval day;
    gettimeofday(&day, 0);
    CHECK(llabs(day.tv_sec - now(CLOCK_REALTIME) / 1000000000) <= 1);
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += 1000;
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, 0) == 0);
    time.tv_nsec = 1000000000;
    CHECK(nanosleep(&time, 0) == -1 && errno == EINVAL);
    CHECK(clock_gettime(99, &time) == -1 && errno == EINVAL);
    CHECK(clock_getres(CLOCK_MONOTONIC, &time) == 0 && time.tv_sec == 0);
}

static void used(void)
{
    struct rusage usage;
    struct tms buffer;
    long long before = now(CLOCK_PROCESS_CPUTIME_ID), thread = now(CLOCK_THREAD_CPUTIME_ID);
    for (volatile int i = 0; i < 100000; i++)
        ;
    long long spent = now(CLOCK_PROCESS_CPUTIME_ID) - before;
    CHECK(spent > 10000 && spent < 100000000 && now(CLOCK_THREAD_CPUTIME_ID) > thread);
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_sec == 0);
    CHECK(times(&buffer) != (clock_t)-1 && clock() > 0);
}

static void alarms(void)
{
    signal(SIGALRM, ring);
    struct itimerval timer = {{0, 2000}, {0, 1000}}, left;
    long long before = now(CLOCK_MONOTONIC);
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
    while (rung < 3)
        pause();
    long long us = (now(CLOCK_MONOTONIC) - before) / 1000;
    CHECK(us >= 5000 && us < 5200);
    CHECK(getitimer(ITIMER_REAL, &left) == 0 && left.it_interval.tv_usec == 2000 && left.it_value.tv_usec <= 2000);
    timer.it_value.tv_usec = 0;
    CHECK(setitimer(ITIMER_REAL, &timer, &left) == 0 && left.it_value.tv_usec > 0);
    CHECK(alarm(10) == 0 && alarm(0) == 10);
}

/* Timers that count the CPU time of the process. */
static void profiling(void)
{
    struct itimerval timer = {{0, 1000}, {0, 1000}}, none = {{0, 0}, {0, 0}};
    struct timespec time = {0, 5000000};
    signal(SIGPROF, ring);
    rung = 0;
    long long before = now(CLOCK_PROCESS_CPUTIME_ID);
    CHECK(setitimer(ITIMER_PROF, &timer, 0) == 0);
    nanosleep(&time, 0);
    CHECK(rung == 0);
    while (rung < 3)
        ;
    long long us = (now(CLOCK_PROCESS_CPUTIME_ID) - before) / 1000;
    CHECK(us >= 3000 && us < 3200);
    CHECK(setitimer(ITIMER_PROF, &none, 0) == 0 && setitimer(3, &none, 0) == -1 && errno == EINVAL);
}

static volatile int told;

static void tell(union sigval value)
{
    told = value.sival_int;
}

static void timers(void)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 8};
    struct itimerspec time = {{0, 1000000}, {0, 500000}}, left;
    signal(SIGRTMIN, ring);
    rung = 0;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    CHECK(timer_settime(timer, 0, &time, 0) == 0);
    while (rung < 2)
        pause();
    CHECK(timer_gettime(timer, &left) == 0 && left.it_value.tv_nsec > 0 && left.it_interval.tv_nsec == 1000000);
    CHECK(timer_delete(timer) == 0);
    struct sigevent threaded = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = tell, .sigev_value.sival_int = 9};
    time.it_interval.tv_nsec = 0;
    CHECK(timer_create(CLOCK_REALTIME, &threaded, &timer) == 0 && timer_settime(timer, 0, &time, 0) == 0);
    while (told != 9)
        usleep(1000);
    timer_delete(timer);
}

int main(void)
{
    clocks();
    used();
    alarms();
    profiling();
    timers();
    puts("ok");
    return 0;
}
