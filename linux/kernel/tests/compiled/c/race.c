/* Threads that race for a lock, and print the order in which they acquired it. */
#include "check.h"
#include <pthread.h>
#include <sched.h>

static int order[400], at;

static void *race(void *argument)
{
    for (int i = 0; i < 100; i++) {
        int place = __sync_fetch_and_add(&at, 1);
        order[place] = (int)(long)argument;
        if (i % 7 == 0)
            sched_yield();
    }
    return 0;
}

int main(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, race, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < 400; i++)
        putchar('0' + order[i]);
    putchar('\n');
    return 0;
}
