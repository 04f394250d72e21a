/* Ends the process with a stack that its argument selects. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static volatile int sink;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* A leaf: its return address is only in the link register. */
APART static void leaf_function(int *where)
{
    *(volatile int *)where = 1;
}

/* A leaf with a frame, in which it saves no return address. */
APART static void frame_function(int *where)
{
    volatile char room[64];

    room[0] = 1;
    *(volatile int *)where = room[0];
}

APART static void helper(void)
{
    sink++;
}

/* The link register has the address behind the call of `helper`. */
APART static void after_a_call(int *where)
{
    helper();
    *(volatile int *)where = 1;
}

APART static void middle(void (*function)(int *), int *where)
{
    function(where);
    sink++;
}

APART static void outer(void (*function)(int *), int *where)
{
    middle(function, where);
    sink++;
}

APART static int recurse(int n)
{
    if (n == 0)
        *(volatile int *)0x10 = 1;
    return n < -1 ? 0 : recurse(n - 1) + sink;
}

/* Makes the back chain of this function's caller what the argument says. */
APART static void smashed(int *chain)
{
    long **frame = __builtin_frame_address(0);
    long *caller = frame[0];

    switch ((long)chain) {
    case 1: caller[0] = (long)caller; break;
    case 2: caller[0] = (long)frame; break;
    case 3: caller[0] = (long)caller + 6; break;
    case 4: caller[0] = 0x41414140; break;
    case 5: caller[0] = -16; break;
    }
    *(volatile int *)0x10 = 1;
}

static void handle(int number)
{
    (void)number;
    leaf_function((int *)0x10);
}

APART static void raises(int *unused)
{
    (void)unused;
    raise(SIGUSR1);
    sink++;
}

APART static void locks(int *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    sink++;
}

static void *waits(void *unused)
{
    locks(unused);
    return unused;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int *bad = (int *)0x10, n;
    pthread_t threads[3];

    if (strcmp(how, "leaf") == 0)
        outer(leaf_function, bad);
    else if (strcmp(how, "frame") == 0)
        outer(frame_function, bad);
    else if (strcmp(how, "call") == 0)
        outer(after_a_call, bad);
    else if (strcmp(how, "null") == 0)
        outer(NULL, bad);
    else if (strcmp(how, "recursion") == 0)
        recurse(30);
    else if (strcmp(how, "abort") == 0)
        outer((void (*)(int *))abort, bad);
    else if (strcmp(how, "smashed") == 0)
        outer(smashed, (int *)(long)atoi(argv[2]));
    else if (strcmp(how, "signal") == 0)
        signal(SIGUSR1, handle), outer(raises, bad);
    else if (strcmp(how, "deadlock") == 0) {
        for (n = 0; n < 3; n++)
            pthread_create(&threads[n], NULL, waits, NULL);
        pthread_join(threads[0], NULL);
    }
    return sink;
}
