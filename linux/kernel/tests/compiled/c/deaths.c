/* Ends the process in the way that its argument selects. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int constant = 5;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data[4] = {0x4e800020};

__attribute__((noinline)) static int recurse(int n)
{
    volatile char room[1000];
    room[0] = (char)n;
    return n < 0 ? 0 : recurse(n + 1) + room[0];
}

static void *end_process(void *unused)
{
    (void)unused;
    exit(45);
}

static void end(int number)
{
    _exit(number == SIGSEGV ? 46 : 1);
}

static void fill_memory(void)
{
    for (;;) {
        char *piece = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(piece, 1, 1 << 20);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    pthread_t thread;
    if (strcmp(how, "store") == 0)
        *(volatile int *)0x10 = 1;
    else if (strcmp(how, "constant") == 0)
        *(volatile int *)&constant = 1;
    else if (strcmp(how, "jump") == 0)
        ((void (*)(void))data)();
    else if (strcmp(how, "recursion") == 0)
        return recurse(1);
    else if (strcmp(how, "instruction") == 0)
        asm volatile(".long 0");
    else if (strcmp(how, "trap") == 0)
        asm volatile("trap");
    else if (strcmp(how, "abort") == 0)
        abort();
    else if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    else if (strcmp(how, "memory") == 0)
        fill_memory();
    else if (strcmp(how, "status") == 0)
        exit(300);
    else if (strcmp(how, "thread") == 0)
        pthread_create(&thread, 0, end_process, 0), pthread_join(thread, 0);
    else if (strcmp(how, "handler") == 0)
        signal(SIGSEGV, end), *(volatile int *)0x10 = 1;
    else if (strcmp(how, "deadlock") == 0)
        pthread_mutex_lock(&mutex), pthread_mutex_lock(&mutex);
    else if (strcmp(how, "fork") == 0)
        fork();
    else if (strcmp(how, "execve") == 0)
        execl("/bin/true", "true", NULL);
    else if (strcmp(how, "uring") == 0)
        syscall(427, 0, 0, 0, 0);
    else if (strcmp(how, "nothing") == 0)
        syscall(4000);
    return 0;
}
