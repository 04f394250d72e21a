/* Calls that wait: for threads, for time, for signals. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static int ends[2];
static volatile int handled;
static pthread_t reader;

static void handle(int number)
{
    (void)number;
    handled++;
}

static void pause_ms(int ms)
{
    struct timespec time = {0, ms * 1000000L};
    nanosleep(&time, 0);
}

static long long now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Reads a byte. Returns the byte or the error. */
static void *read_byte(void *unused)
{
    char byte;
    (void)unused;
    return read(ends[0], &byte, 1) == 1 ? (void *)(long)byte : (void *)(long)-errno;
}

static long read_while(int restart, int writes)
{
    void *result;
    struct sigaction action = {.sa_handler = handle, .sa_flags = restart ? SA_RESTART : 0};
    sigaction(SIGUSR1, &action, 0);
    handled = 0;
    pthread_create(&reader, 0, read_byte, 0);
    pause_ms(1);
    pthread_kill(reader, SIGUSR1);
    pause_ms(1);
    CHECK(handled == 1);
    if (writes)
        CHECK(write(ends[1], "x", 1) == 1);
    pthread_join(reader, &result);
    return (long)result;
}

static void *write_later(void *argument)
{
    pause_ms(2);
    CHECK(write((int)(long)argument, "12345678", 8) == 8);
    return 0;
}

static void polling(void)
{
    pthread_t writer;
    struct pollfd pipe_end = {.fd = ends[0], .events = POLLIN};
    char bytes[8];
    long long before = now_ns();
    CHECK(poll(&pipe_end, 1, 3) == 0 && now_ns() - before >= 3000000);
    before = now_ns();
    pthread_create(&writer, 0, write_later, (void *)(long)ends[1]);
    CHECK(poll(&pipe_end, 1, -1) == 1 && pipe_end.revents == POLLIN);
    CHECK(now_ns() - before >= 2000000 && now_ns() - before < 3000000);
    pthread_join(writer, 0);
    CHECK(read(ends[0], bytes, 8) == 8);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    struct timeval time = {0, 1000};
    CHECK(select(ends[0] + 1, &set, 0, 0, &time) == 0 && !FD_ISSET(ends[0], &set));
}

static void events(void)
{
    pthread_t writer;
    int event = eventfd(0, 0), set = epoll_create1(0);
    struct epoll_event wish = {.events = EPOLLIN, .data.u32 = 77}, got;
    CHECK(epoll_ctl(set, EPOLL_CTL_ADD, event, &wish) == 0);
    CHECK(epoll_wait(set, &got, 1, 0) == 0);
    pthread_create(&writer, 0, write_later, (void *)(long)event);
    CHECK(epoll_wait(set, &got, 1, 1000) == 1 && got.data.u32 == 77 && got.events == EPOLLIN);
    pthread_join(writer, 0);
    close(set);
    close(event);
}

/* A signal that is unblocked only during a call. */
static void masks(void)
{
    sigset_t blocked, open;
    struct pollfd pipe_end = {.fd = ends[0], .events = POLLIN};
    sigemptyset(&open);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, 0);
    handled = 0;
    raise(SIGUSR1);
    CHECK(handled == 0);
    CHECK(ppoll(&pipe_end, 1, 0, &open) == -1 && errno == EINTR && handled == 1);
    raise(SIGUSR1);
    CHECK(handled == 1);
    CHECK(pselect(0, 0, 0, 0, 0, &open) == -1 && errno == EINTR && handled == 2);
    struct timespec none = {0, 0};
    CHECK(ppoll(&pipe_end, 1, &none, &open) == 0);
    sigset_t now;
    sigprocmask(SIG_SETMASK, 0, &now);
    CHECK(sigismember(&now, SIGUSR1));
}

int main(void)
{
    CHECK(pipe(ends) == 0);
    CHECK(read_while(0, 0) == -EINTR);
    CHECK(read_while(1, 1) == 'x');
    polling();
    events();
    masks();
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    CHECK(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    puts("ok");
    return 0;
}
