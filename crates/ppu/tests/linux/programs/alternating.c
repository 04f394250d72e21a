/* Two running hardware threads of the PPE issue in alternate cycles. A single thread issues in every cycle. */
#include "check.h"
#include <pthread.h>

static volatile int together;

/* Ticks of a loop in which an instruction issues in every cycle, except after the branch. */
static long ticks(void)
{
    unsigned long before, after, a = 0, b = 0, c = 0, d = 0;
    __asm__ volatile("mtctr %6\n"
                     "mftb %0\n"
                     "1:\n"
                     ".rept 8\n"
                     "addi %2,%2,1\n"
                     "addi %3,%3,1\n"
                     "addi %4,%4,1\n"
                     "addi %5,%5,1\n"
                     ".endr\n"
                     "bdnz 1b\n"
                     "mftb %1\n"
                     : "=&r"(before), "=&r"(after), "+b"(a), "+b"(b), "+b"(c), "+b"(d)
                     : "r"(20000)
                     : "ctr");
    return after - before;
}

static void *beside(void *nothing)
{
    __sync_fetch_and_add(&together, 1);
    while (together < 2)
        ;
    (void)nothing;
    return (void *)ticks();
}

int main(void)
{
    pthread_t thread;
    void *other;
    long alone = ticks();
    CHECK(pthread_create(&thread, 0, beside, 0) == 0);
    long both = (long)beside(0);
    CHECK(pthread_join(thread, &other) == 0);
    CHECK(both > alone * 18 / 10 && both < alone * 2);
    CHECK((long)other > alone * 18 / 10 && (long)other < alone * 2);
    long again = ticks();
    CHECK(again > alone - alone / 50 && again < alone + alone / 50);
    printf("ok\n");
    return 0;
}
