/* Waits on the PPE alone, without SPEs: pipes, event counters, poll, select and epoll between threads, and
 * the events that end a wait.
 *
 *     cellstats run linux/programs/waits.elf
 *
 * Exit status: 0 if every wait ends correctly, otherwise 1, with a line that names the wrong wait.
 */
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define LATE_US 2000
#define PIPE_BYTES 65536
#define LONG_BYTES 200000

static int ends[2], counter;
static char bytes[LONG_BYTES];

static void *write_much(void *unused)
{
    CHECK(write(ends[1], bytes, LONG_BYTES) == LONG_BYTES);
    CHECK(close(ends[1]) == 0);
    return unused;
}

static void *write_late(void *unused)
{
    usleep(LATE_US);
    CHECK(write(ends[1], "q", 1) == 1);
    return unused;
}

static void *count_late(void *unused)
{
    unsigned long long seven = 7;

    usleep(LATE_US);
    CHECK(write(counter, &seven, sizeof seven) == sizeof seven);
    return unused;
}

static void *read_late(void *unused)
{
    char page[4096];

    usleep(LATE_US);
    CHECK(read(ends[0], page, sizeof page) == sizeof page);
    return unused;
}

static pthread_t begin(void *(*body)(void *))
{
    pthread_t thread;

    CHECK(pthread_create(&thread, NULL, body, NULL) == 0);
    return thread;
}

static void finish(pthread_t thread)
{
    CHECK(pthread_join(thread, NULL) == 0);
}

static long now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

static void pipes(void)
{
    static char part[5000];
    long count, total = 0;
    pthread_t thread;

    CHECK(pipe(ends) == 0);
    thread = begin(write_much);
    while ((count = read(ends[0], part, sizeof part)) > 0)
        total += count;
    finish(thread);
    CHECK(total == LONG_BYTES && count == 0 && close(ends[0]) == 0);
    CHECK(pipe(ends) == 0);
    thread = begin(write_late);
    CHECK(read(ends[0], part, sizeof part) == 1);
    finish(thread);
    /* A full pipe takes no data until there is room. */
    CHECK(write(ends[1], bytes, PIPE_BYTES) == PIPE_BYTES);
    CHECK(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    FAILS(write(ends[1], "x", 1), EAGAIN);
    CHECK(fcntl(ends[1], F_SETFL, 0) == 0);
    thread = begin(read_late);
    CHECK(write(ends[1], "x", 1) == 1);
    finish(thread);
    for (total = PIPE_BYTES - 4096 + 1; total > 0; total -= count)
        CHECK((count = read(ends[0], part, sizeof part)) > 0);
}

static void polls(void)
{
    struct pollfd asked = {.fd = ends[0], .events = POLLIN};
    struct timeval none = {0, 0};
    pthread_t thread = begin(write_late);
    long start;
    char byte;
    fd_set set;

    CHECK(poll(&asked, 1, 5000) == 1 && asked.revents == POLLIN);
    finish(thread);
    CHECK(read(ends[0], &byte, 1) == 1);
    start = now_us();
    CHECK(poll(&asked, 1, 5) == 0 && asked.revents == 0 && now_us() - start >= 5000);
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    thread = begin(write_late);
    CHECK(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &set));
    finish(thread);
    CHECK(read(ends[0], &byte, 1) == 1 && select(ends[0] + 1, &set, NULL, NULL, &none) == 0);
    CHECK(!FD_ISSET(ends[0], &set));
}

static void lists(void)
{
    struct epoll_event asked = {.events = EPOLLIN, .data.u64 = 0x123456789aULL}, told[2];
    int list = epoll_create1(0);
    unsigned long long sum;
    pthread_t thread;

    counter = eventfd(0, 0);
    CHECK(epoll_ctl(list, EPOLL_CTL_ADD, counter, &asked) == 0);
    FAILS(epoll_ctl(list, EPOLL_CTL_ADD, counter, &asked), EEXIST);
    FAILS(epoll_ctl(list, EPOLL_CTL_ADD, list, &asked), EINVAL);
    FAILS(epoll_ctl(list, EPOLL_CTL_DEL, ends[0], &asked), ENOENT);
    CHECK(epoll_wait(list, told, 2, 2) == 0);
    thread = begin(count_late);
    CHECK(epoll_wait(list, told, 2, -1) == 1 && told[0].events == EPOLLIN && told[0].data.u64 == 0x123456789aULL);
    finish(thread);
    CHECK(epoll_wait(list, told, 2, -1) == 1 && read(counter, &sum, sizeof sum) == sizeof sum && sum == 7);
    asked.events = EPOLLIN | EPOLLET;
    CHECK(epoll_ctl(list, EPOLL_CTL_MOD, counter, &asked) == 0);
    thread = begin(count_late);
    CHECK(epoll_wait(list, told, 2, -1) == 1 && epoll_wait(list, told, 2, 0) == 0);
    finish(thread);
    CHECK(read(counter, &sum, sizeof sum) == sizeof sum && close(list) == 0 && close(counter) == 0);
}

static volatile sig_atomic_t signals;

static void count_signal(int signal)
{
    signals += signal != 0;
}

static void interruptions(void)
{
    struct sigaction action = {.sa_handler = count_signal};
    struct pollfd asked = {.fd = ends[0], .events = POLLIN};
    sigset_t none, one;
    char byte;

    CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && sigaction(SIGALRM, &action, NULL) == 0);
    sigemptyset(&none);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    CHECK(sigprocmask(SIG_BLOCK, &one, NULL) == 0 && raise(SIGUSR1) == 0 && signals == 0);
    FAILS(ppoll(&asked, 1, NULL, &none), EINTR);
    CHECK(signals == 1 && poll(&asked, 1, 0) == 0);
    ualarm(LATE_US, 0);
    FAILS(read(ends[0], &byte, 1), EINTR);
    CHECK(signals == 2 && signal(SIGPIPE, count_signal) != SIG_ERR && close(ends[0]) == 0);
    FAILS(write(ends[1], "x", 1), EPIPE);
    CHECK(signals == 3 && close(ends[1]) == 0);
}

int main(void)
{
    pipes();
    polls();
    lists();
    interruptions();
    puts("every wait ends as it should");
    return 0;
}
