/* System V semaphores. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define KEY 77
#define FAILS(call, error) CHECK((errno = 0, (long)(call) == -1) && errno == (error))

union argument {
    int val;
    struct semid_ds *buf;
    unsigned short *array;
    struct seminfo *info;
};

static int set;

static void pause_ms(int ms)
{
    struct timespec time = {0, ms * 1000000L};

    nanosleep(&time, 0);
}

static int add(int number, int by, int flags)
{
    struct sembuf operation = {number, by, flags};

    return semop(set, &operation, 1);
}

static int value(int number)
{
    return semctl(set, number, GETVAL);
}

static void values_change(void)
{
    unsigned short values[3] = {1, 2, 3}, back[3];
    struct sembuf both[2] = {{0, -1, 0}, {2, -4, IPC_NOWAIT}};

    FAILS(semget(KEY, 3, 0600), ENOENT);
    FAILS(semget(KEY, 0, IPC_CREAT | 0600), EINVAL);
    set = semget(KEY, 3, IPC_CREAT | 0600);
    CHECK(set >= 0 && semget(KEY, 0, 0) == set);
    FAILS(semget(KEY, 4, 0), EINVAL);
    FAILS(semget(KEY, 3, IPC_CREAT | IPC_EXCL), EEXIST);
    CHECK(semctl(set, 0, SETALL, (union argument){.array = values}) == 0);
    CHECK(semctl(set, 0, GETALL, (union argument){.array = back}) == 0 && memcmp(values, back, sizeof back) == 0);
    CHECK(semctl(set, 1, SETVAL, (union argument){.val = 5}) == 0 && value(1) == 5);
    CHECK(semctl(set, 1, GETPID) == getpid());
    /* All operations are done, or none. */
    FAILS(semop(set, both, 2), EAGAIN);
    CHECK(value(0) == 1 && value(2) == 3);
    both[1].sem_op = -3;
    CHECK(semop(set, both, 2) == 0 && value(0) == 0 && value(2) == 0);
    CHECK(add(0, 0, 0) == 0);
    FAILS(add(1, 0, IPC_NOWAIT), EAGAIN);
    FAILS(add(3, 1, 0), EFBIG);
    FAILS(add(1, 32767, 0), ERANGE);
    FAILS(semctl(set, 1, SETVAL, (union argument){.val = 32768}), ERANGE);
    FAILS(semctl(set, 3, GETVAL), EINVAL);
    FAILS(semop(set, both, 0), EINVAL);
    FAILS(semop(set, both, 501), E2BIG);
    FAILS(semop(-1, both, 1), EINVAL);
    FAILS(semop(set, (void *)8, 1), EFAULT);
}

static void sets_are_shown(void)
{
    struct semid_ds known;
    struct seminfo limits;
    int last = semctl(0, 0, IPC_INFO, (union argument){.info = &limits});

    CHECK(last >= 0 && limits.semvmx == 32767 && limits.semopm == 500);
    CHECK(semctl(last, 0, SEM_STAT, (union argument){.buf = &known}) == set);
    CHECK(known.sem_nsems == 3 && known.sem_perm.__key == KEY && known.sem_otime == time(0));
    known.sem_perm.mode = 0400;
    CHECK(semctl(set, 0, IPC_SET, (union argument){.buf = &known}) == 0);
    FAILS(add(0, 1, 0), EACCES);
    known.sem_perm.mode = 0600;
    CHECK(semctl(set, 0, IPC_SET, (union argument){.buf = &known}) == 0);
    CHECK(semctl(set, 0, IPC_STAT, (union argument){.buf = &known}) == 0 && known.sem_ctime == time(0));
}

static void *take(void *by)
{
    return (void *)(long)(add(0, (int)(long)by, 0) ? errno : 0);
}

static pthread_t start(int by)
{
    pthread_t thread;

    CHECK(pthread_create(&thread, 0, take, (void *)(long)by) == 0);
    pause_ms(1);
    return thread;
}

static int result(pthread_t thread)
{
    void *result;

    CHECK(pthread_join(thread, &result) == 0);
    return (int)(long)result;
}

static void handle(int number)
{
    (void)number;
}

static void threads_wait(void)
{
    struct timespec soon = {0, 1000000};
    struct sembuf one = {0, -1, 0};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    pthread_t three, two, zero;

    three = start(-3);
    two = start(-2);
    CHECK(semctl(set, 0, GETNCNT) == 2 && semctl(set, 0, GETZCNT) == 0);
    CHECK(add(0, 2, 0) == 0 && result(two) == 0 && value(0) == 0 && semctl(set, 0, GETNCNT) == 1);
    CHECK(semctl(set, 0, SETVAL, (union argument){.val = 4}) == 0 && result(three) == 0 && value(0) == 1);
    zero = start(0);
    CHECK(semctl(set, 0, GETZCNT) == 1 && add(0, -1, 0) == 0 && result(zero) == 0);
    FAILS(semtimedop(set, &one, 1, &soon), EAGAIN);
    FAILS(syscall(sizeof(long) == 8 ? 392 : 420, set, &one, 1, (long long[]){0, 1000}), EAGAIN);
    CHECK(semctl(set, 0, GETNCNT) == 0);
    /* A signal ends the wait, even if its handler restarts other calls. */
    sigaction(SIGUSR1, &action, 0);
    three = start(-3);
    CHECK(pthread_kill(three, SIGUSR1) == 0 && result(three) == EINTR && semctl(set, 0, GETNCNT) == 0);
    three = start(-3);
    CHECK(semctl(set, 0, IPC_RMID) == 0 && result(three) == EIDRM);
    FAILS(add(0, 1, 0), EINVAL);
}

/* The calls with numbers of their own. */
static void direct_calls(void)
{
    union argument four = {.val = 4};

    set = syscall(393, IPC_PRIVATE, 1, 0600);
    CHECK(set >= 0 && syscall(394, set, 0, SETVAL, four.array) == 0 && syscall(394, set, 0, GETVAL, 0) == 4);
    CHECK(value(0) == 4 && syscall(394, set, 0, IPC_RMID, 0) == 0);
    FAILS(syscall(394, set, 0, GETVAL, 0), EINVAL);
}

int main(void)
{
    values_change();
    sets_are_shown();
    threads_wait();
    direct_calls();
    puts("ok");
    return 0;
}
