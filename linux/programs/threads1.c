/* SPE threads of version 1 of the library (spe_create_thread and related functions).
 *
 *     cellstats run linux/programs/threads1.elf
 *
 * The threads of a group stop and exit, and the group's events report each stop and exit. One thread is
 * killed, and some fail. The PPE uses the mailbox and the DMA of another thread. The program uses only
 * functions of libspe.h.
 *
 * Exit status: 0 if everything was correct, otherwise 1, with a line that names the error.
 */
#include "check.h"

#include <libspe.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "threads1.h"

extern spe_program_handle_t threads1_spu;

static void simple(void)
{
    speid_t thread = spe_create_thread(SPE_DEF_GRP, &threads1_spu, (void *)EXITS, NULL, -1, 0);
    int status;

    CHECK(thread && spe_wait(thread, &status, 0) == 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == EXIT);
    CHECK(spe_wait(thread, &status, 0) == -1 && errno == ESRCH);
}

/* Waits for the next event of a group, which must be `wanted`. */
static struct spe_event next(spe_gid_t group, int wanted)
{
    struct spe_event event = {.gid = group, .events = wanted};

    CHECK(spe_get_event(&event, 1, -1) == 1);
    CHECK(event.revents == wanted);
    return event;
}

static void group_with_events(void)
{
    spe_gid_t group = spe_create_group(SCHED_OTHER, 0, 1);
    struct spe_event event = {.gid = group, .events = SPE_EVENT_STOP | SPE_EVENT_THREAD_EXIT};
    speid_t threads[2], found[MAX_THREADS_PER_GROUP];
    int n, status;

    CHECK(group && spe_get_event(&event, 1, 0) == 0 && spe_group_max(group) == spe_count_physical_spes());
    for (n = 0; n < 2; n++) {
        threads[n] = spe_create_thread(group, &threads1_spu, (void *)STOPS, NULL, -1, 0);
        CHECK(threads[n] && spe_get_group(threads[n]) == group);
    }
    CHECK(spe_get_threads(group, found) == 2 && spe_get_threads(group, NULL) == 2);
    for (n = 0; n < 2; n++) {
        event = next(group, SPE_EVENT_STOP);
        CHECK(event.data == STOP && spe_kill(event.speid, SIGCONT) == 0);
    }
    CHECK(spe_destroy_group(group) == 0);
    for (n = 0; n < 2; n++) {
        event = next(group, SPE_EVENT_THREAD_EXIT);
        CHECK(event.data == EXIT && spe_wait(event.speid, &status, 0) == 0 && WEXITSTATUS(status) == EXIT);
    }
    CHECK(spe_destroy_group(group) == -1 && errno == ESRCH);
}

/* Without a group, each thread has one of its own. A user-defined stop ends it, because nobody hears of it. */
static void groups_of_their_own(void)
{
    struct spe_event event = {.gid = SPE_DEF_GRP, .events = SPE_EVENT_THREAD_EXIT};
    speid_t threads[MAX_THREADS_PER_GROUP + 1];
    int n, status;

    for (n = 0; n <= MAX_THREADS_PER_GROUP; n++) {
        threads[n] = spe_create_thread(SPE_DEF_GRP, &threads1_spu, (void *)WAITS, NULL, -1, 0);
        CHECK(threads[n] && (n == 0 || spe_get_group(threads[n]) != spe_get_group(threads[0])));
        CHECK(spe_get_threads(spe_get_group(threads[n]), NULL) == 1);
    }
    CHECK(spe_group_max(SPE_DEF_GRP) == spe_count_physical_spes());
    for (n = 0; n <= MAX_THREADS_PER_GROUP; n++) {
        spe_gid_t group = spe_get_group(threads[n]);

        CHECK(spe_write_in_mbox(threads[n], 1) == 0 && spe_wait(threads[n], &status, 0) == 0);
        CHECK(WIFEXITED(status) && spe_group_max(group) == -1 && errno == ESRCH);
    }
    threads[0] = spe_create_thread(SPE_DEF_GRP, &threads1_spu, (void *)STOPS, NULL, -1, 0);
    CHECK(spe_wait(threads[0], &status, 0) == 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGILL);
    CHECK(spe_group_defaults(SCHED_RR, 7, 1) == 0);
    threads[0] = spe_create_thread(SPE_DEF_GRP, &threads1_spu, (void *)EXITS, NULL, -1, 0);
    CHECK(spe_get_policy(spe_get_group(threads[0])) == SCHED_RR && spe_get_priority(spe_get_group(threads[0])) == 7);
    CHECK(spe_get_event(&event, 1, -1) == 1 && event.speid == threads[0] && spe_wait(threads[0], NULL, 0) == 0);
    CHECK(spe_group_defaults(SCHED_OTHER, 0, 0) == 0);
}

/* An error ends the thread like a signal, and is an event of its group. */
static void fails(int how, int wanted, int signal)
{
    spe_gid_t group = spe_create_group(SCHED_OTHER, 0, 1);
    speid_t thread = spe_create_thread(group, &threads1_spu, (void *)(long)how, NULL, -1, 0);
    struct spe_event event = {.gid = group, .events = 0xfff, .speid = group};
    int status;

    CHECK(spe_get_event(&event, 1, -1) == 1 && event.revents == wanted && event.speid == thread && event.data);
    CHECK(spe_wait(thread, &status, 0) == 0 && WIFSIGNALED(status) && WTERMSIG(status) == signal);
    CHECK(spe_get_event(&event, 1, 0) == 0 && !event.revents && !event.speid && !event.data);
    CHECK(spe_destroy_group(group) == 0);
}

/* Two groups are asked at once. */
static void two_groups(void)
{
    spe_gid_t groups[2] = {spe_create_group(SCHED_OTHER, 0, 1), spe_create_group(SCHED_FIFO, 99, 1)};
    struct spe_event events[2] = {{.gid = groups[0], .events = SPE_EVENT_THREAD_EXIT},
                                  {.gid = groups[1], .events = SPE_EVENT_THREAD_EXIT}};
    speid_t thread = spe_create_thread(groups[1], &threads1_spu, (void *)EXITS, NULL, -1, 0);

    CHECK(spe_get_event(events, 2, -1) == 1 && !events[0].revents && events[1].speid == thread);
    CHECK(events[1].data == EXIT && spe_wait(thread, NULL, 0) == 0);
    FAILS(spe_set_priority(groups[1], 0), EINVAL);
    CHECK(spe_set_priority(groups[1], 1) == 0 && spe_get_priority(groups[1]) == 1);
    CHECK(spe_destroy_group(groups[0]) == 0 && spe_destroy_group(groups[1]) == 0);
    FAILS(spe_set_priority(groups[1], 1), ESRCH);
}

static void invalid_arguments(void)
{
    struct spe_event event = {.gid = SPE_DEF_GRP, .events = SPE_EVENT_STOP};

    FAILS(spe_get_event(&event, 1, 0), EINVAL);
    CHECK(!spe_create_group(SCHED_RR, 0, 0) && errno == EINVAL);
    CHECK(!spe_create_group(SCHED_OTHER, 100, 0) && errno == EINVAL);
    FAILS(spe_group_defaults(99, 0, 0), EINVAL);
    CHECK(!spe_create_thread(SPE_DEF_GRP, &threads1_spu, NULL, NULL, 0, 0) && errno == EINVAL);
    CHECK(!spe_create_thread(SPE_DEF_GRP, &threads1_spu, NULL, NULL, -1, SPE_USER_REGS) && errno == EINVAL);
}

static void killed(void)
{
    speid_t thread = spe_create_thread(SPE_DEF_GRP, &threads1_spu, (void *)WAITS, NULL, -1, 0);
    int status, data;
    void *found;

    CHECK(thread && spe_set_app_data(thread, &data) == 0 && spe_get_app_data(thread, &found) == 0 && found == &data);
    CHECK(spe_wait(thread, &status, WNOHANG) == 0 && status == 0);
    FAILS(spe_wait(thread, &status, 0x100), EINVAL);
    FAILS(spe_kill(thread, SIGUSR1), EINVAL);
    CHECK(spe_kill(thread, SIGSTOP) == 0 && spe_wait(thread, &status, WUNTRACED) == 0 && WIFSTOPPED(status));
    CHECK(WSTOPSIG(status) == SIGSTOP && spe_wait(thread, &status, WUNTRACED | WNOHANG) == 0 && status == 0);
    CHECK(spe_kill(thread, SIGCONT) == 0 && spe_kill(thread, SIGKILL) == 0);
    CHECK(spe_wait(thread, &status, 0) == 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    FAILS(spe_kill(thread, SIGKILL), ESRCH);
}

static void talks(void)
{
    spe_gid_t group = spe_create_group(SCHED_OTHER, 0, 1);
    speid_t thread = spe_create_thread(group, &threads1_spu, (void *)TALKS, NULL, -1, SPE_MAP_PS);
    static char from[128] __attribute__((aligned(128))) = "by proxy DMA";
    int status;

    CHECK(thread && spe_get_ls(thread) && spe_get_ps_area(thread, SPE_CONTROL_AREA));
    CHECK(spe_write_in_mbox(thread, 20) == 0 && spe_write_signal(thread, SPE_SIG_NOTIFY_REG_1, 22) == 0);
    CHECK(next(group, SPE_EVENT_MAILBOX).data == 42);
    while (spe_stat_out_mbox(thread) == 0)
        ;
    CHECK(spe_read_out_mbox(thread) == 43);
    CHECK(spe_mfc_get(thread, FREE_AT, from, sizeof from, 2, 0, 0) == 0);
    CHECK(next(group, SPE_EVENT_TAG_GROUP).data == 1 << 2);
    CHECK(spe_mfc_read_tag_status_all(thread, 1 << 2) == 1 << 2);
    CHECK(strcmp((char *)spe_get_ls(thread) + FREE_AT, from) == 0);
    CHECK(spe_write_in_mbox(thread, 0) == 0);
    CHECK(spe_wait(thread, &status, 0) == 0 && WEXITSTATUS(status) == EXIT);
}

/* A group without events reports mailboxes and tag groups, but no stops and ends. */
static void group_without_events(void)
{
    spe_gid_t group = spe_create_group(SCHED_OTHER, 0, 0);
    speid_t thread = spe_create_thread(group, &threads1_spu, (void *)TALKS, NULL, -1, SPE_MAP_PS);
    struct spe_event event = {.gid = group, .events = SPE_EVENT_STOP | SPE_EVENT_THREAD_EXIT};
    static char from[128] __attribute__((aligned(128))) = "by proxy DMA";
    int status;

    CHECK(thread && spe_get_event(&event, 1, 0) == 0 && event.revents == 0);
    CHECK(spe_write_in_mbox(thread, 20) == 0 && spe_write_signal(thread, SPE_SIG_NOTIFY_REG_1, 22) == 0);
    CHECK(next(group, SPE_EVENT_MAILBOX).data == 42);
    while (spe_stat_out_mbox(thread) == 0)
        ;
    CHECK(spe_read_out_mbox(thread) == 43);
    CHECK(spe_mfc_get(thread, FREE_AT, from, sizeof from, 2, 0, 0) == 0);
    CHECK(next(group, SPE_EVENT_TAG_GROUP).data == 1 << 2);
    CHECK(spe_write_in_mbox(thread, 0) == 0);
    CHECK(spe_get_event(&event, 1, 5) == 0 && event.revents == 0);
    CHECK(spe_wait(thread, &status, 0) == 0 && WEXITSTATUS(status) == EXIT);
    CHECK(spe_destroy_group(group) == 0);
    CHECK(spe_get_event(&event, 1, -1) == 1 && event.revents == SPE_EVENT_NVAL);
}

int main(void)
{
    invalid_arguments();
    simple();
    groups_of_their_own();
    fails(HALTS, SPE_EVENT_SPE_TRAPPED, SIGABRT);
    fails(MISALIGNED, SPE_EVENT_DMA_ALIGNMENT, SIGBUS);
    two_groups();
    group_with_events();
    group_without_events();
    killed();
    talks();
    printf("threads of version 1, on %d SPEs\n", spe_count_physical_spes());
    return 0;
}
