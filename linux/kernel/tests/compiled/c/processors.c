/* A blade with two chips has four processors: two hardware threads of each PPE. */
#define _GNU_SOURCE
#include "check.h"
#include "ticks.h"
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PROCESSORS 4
#define INCREMENTS 1000

static volatile int together, wanted;
static volatile int counter;
/* A function that is written while it is in use, and the step that its writer has reached. */
static unsigned int *code;
static volatile int step;

static void stay_on(int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    CHECK(sched_setaffinity(0, sizeof set, &set) == 0);
    sched_yield();
    CHECK(sched_getcpu() == processor);
}

static void *timed(void *processor)
{
    stay_on((int)(long)processor);
    __sync_fetch_and_add(&together, 1);
    while (together < wanted)
        ;
    return (void *)ticks();
}

/* Ticks of the loop on two processors at the same time. */
static void on_two(int one, int other, long *first, long *second)
{
    pthread_t thread;
    void *result;
    together = 0;
    wanted = 2;
    CHECK(pthread_create(&thread, 0, timed, (void *)(long)other) == 0);
    *first = (long)timed((void *)(long)one);
    CHECK(pthread_join(thread, &result) == 0);
    *second = (long)result;
}

static void *counts(void *processor)
{
    unsigned int cpu, node;
    stay_on((int)(long)processor);
    CHECK(syscall(SYS_getcpu, &cpu, &node, 0) == 0);
    CHECK(cpu == (unsigned int)(long)processor && node == cpu / 2);
    for (int n = 0; n < INCREMENTS; n++)
        __sync_fetch_and_add(&counter, 1);
    return 0;
}

static void *where(void *nothing)
{
    int processor = sched_getcpu();
    __sync_fetch_and_add(&together, 1);
    (void)nothing;
    return (void *)(long)processor;
}

/* Writes `li 3,value; blr`. */
static void write_code(int value)
{
    code[0] = 0x38600000 | value;
    code[1] = 0x4e800020;
    __asm__ volatile("dcbst 0,%0; sync; icbi 0,%0; sync; isync" : : "r"(code) : "memory");
}

static void *calls(void *nothing)
{
    (void)nothing;
    stay_on(2);
    for (int n = 1; n <= 3; n++) {
        while (step < 2 * n - 1)
            ;
        __asm__ volatile("isync" : : : "memory");
        CHECK(((int (*)(void))code)() == n);
        step = 2 * n;
    }
    return 0;
}

int main(void)
{
    cpu_set_t set;
    pthread_t threads[PROCESSORS];
    void *result;
    long alone, first, second;

    CHECK(sysconf(_SC_NPROCESSORS_ONLN) == PROCESSORS);
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == PROCESSORS);
    /* A new thread takes a PPE of its own while this one is busy. */
    CHECK(pthread_create(threads, 0, where, 0) == 0);
    while (!together)
        ;
    CHECK(pthread_join(threads[0], &result) == 0);
    CHECK((long)result / 2 == 1 - sched_getcpu() / 2);

    stay_on(0);
    alone = ticks();
    on_two(0, 2, &first, &second);
    CHECK(first < alone + alone / 50 && second < alone + alone / 50);
    on_two(3, 2, &first, &second);
    CHECK(first > alone * 18 / 10 && second > alone * 18 / 10);

    for (long n = 0; n < PROCESSORS; n++)
        CHECK(pthread_create(&threads[n], 0, counts, (void *)n) == 0);
    for (int n = 0; n < PROCESSORS; n++)
        CHECK(pthread_join(threads[n], 0) == 0);
    CHECK(counter == PROCESSORS * INCREMENTS);

    stay_on(0);
    code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(code != MAP_FAILED);
    CHECK(pthread_create(threads, 0, calls, 0) == 0);
    for (int n = 1; n <= 3; n++) {
        write_code(n);
        CHECK(((int (*)(void))code)() == n);
        step = 2 * n - 1;
        while (step < 2 * n)
            ;
    }
    CHECK(pthread_join(threads[0], 0) == 0);
    printf("ok\n");
    return 0;
}
