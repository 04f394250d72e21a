/* Two running hardware threads of the PPE issue in alternate cycles. A single thread issues in every cycle. */
#include "check.h"
#include "ticks.h"
#include <pthread.h>

static volatile int together;

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
