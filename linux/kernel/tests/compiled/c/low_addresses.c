/* Prints what a pointer is no longer the same after it was an int: nothing if all addresses are below 2 GB. */
#include "check.h"
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

extern char **environ;

static void keeps(const char *what, const void *pointer)
{
    int number = (int)(intptr_t)pointer;

    if ((void *)(intptr_t)number != pointer)
        printf("%s ", what);
}

static void *on_thread(void *unused)
{
    int local;

    keeps("thread", &local);
    return unused;
}

int main(int count, char **arguments)
{
    char *large = malloc(1 << 20), *small = malloc(100), *stack_line, line[200];
    pthread_t thread;
    int id = shmget(IPC_PRIVATE, 100, 0600), local;
    FILE *maps = fopen("/proc/self/maps", "r");

    keeps("malloc", large);
    keeps("heap", small);
    keeps("mmap", mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    keeps("shmat", shmat(id, 0, 0));
    keeps("stack", &local);
    keeps("argv", arguments[count - 1]);
    keeps("environ", environ[0]);
    keeps("stdout", stdout);
    CHECK(pthread_create(&thread, 0, on_thread, 0) == 0 && pthread_join(thread, 0) == 0);
    for (stack_line = 0; !stack_line && fgets(line, sizeof line, maps);)
        stack_line = strstr(line, "[stack]");
    CHECK(stack_line && strtoull(strchr(line, '-') + 1, 0, 16) - (uintptr_t)&local < 1 << 20);
    puts("end");
    return 0;
}
