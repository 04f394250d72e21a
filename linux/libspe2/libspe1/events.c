/* Events of groups: distributes the events of version 2's contexts to the requests for them.
 *
 * Source: IBM's libspe of SDK 1.x, and its layer over version 2. The events of a thread itself (stop,
 * end, failure) are queued only in groups that were created with events. Mailboxes and tag groups are
 * checked in any group. A group without events is valid in a request: SPE_EVENT_NVAL is only for unknown
 * groups.
 */
#include "threads.h"

#include <time.h>

/* Version 2 reports no events for contexts without SPE_EVENTS_ENABLE. They are polled at this interval. */
#define LOOK_AGAIN_MS 1

static void note(struct thread *thread, int event, unsigned long data)
{
    if (thread->pending_count < PENDING_MAX) {
        struct happening happening = {event, data};

        thread->pending[thread->pending_count++] = happening;
    }
}

/* Queues the event of a stop. */
static void note_stop(struct thread *thread, const spe_stop_info_t *stop)
{
    switch (stop->stop_reason) {
    case SPE_EXIT:
        note(thread, SPE_EVENT_THREAD_EXIT, stop->result.spe_exit_code);
        break;
    case SPE_STOP_AND_SIGNAL:
        note(thread, SPE_EVENT_STOP, stop->result.spe_signal_code);
        break;
    case SPE_RUNTIME_ERROR:
        note(thread, stop->result.spe_runtime_error == SPE_SPU_HALT ? SPE_EVENT_SPE_TRAPPED : SPE_EVENT_SPE_ERROR,
             stop->result.spe_runtime_error);
        break;
    case SPE_RUNTIME_EXCEPTION:
        /* The bits are the same in both versions. */
        note(thread, stop->result.spe_runtime_exception, stop->result.spe_runtime_exception);
        break;
    }
}

/* Whether any entry requests this event of a thread. */
static int is_wanted(const struct spe_event *events, int n, const struct thread *thread, int event)
{
    int k;

    for (k = 0; k < n; k++)
        if (events[k].events & event && !events[k].revents &&
            is_member(thread, events[k].gid))
            return 1;
    return 0;
}

/* Queues new events. Reads mailboxes and tags only if an entry requests them. */
static void look(const struct spe_event *events, int n)
{
    struct thread *thread;
    spe_stop_info_t stop;
    unsigned int word;

    for (thread = threads; thread; thread = thread->next) {
        while (thread->group->events && thread->pending_count < PENDING_MAX &&
               spe_stop_info_read(thread->spe, &stop) == 0)
            note_stop(thread, &stop);
        if (is_wanted(events, n, thread, SPE_EVENT_MAILBOX) &&
            spe_out_intr_mbox_read(thread->spe, &word, 1, SPE_MBOX_ANY_NONBLOCKING) == 1)
            note(thread, SPE_EVENT_MAILBOX, word);
        if (is_wanted(events, n, thread, SPE_EVENT_TAG_GROUP) &&
            spe_mfcio_tag_status_read(thread->spe, 0, SPE_TAG_IMMEDIATE, &word) == 0 && word)
            note(thread, SPE_EVENT_TAG_GROUP, word);
    }
}

/* Stores one pending event in an entry that requests it. */
static int give(struct spe_event *event, struct thread *thread)
{
    int n, left;

    for (n = 0; n < thread->pending_count; n++) {
        if (!(thread->pending[n].event & event->events))
            continue;
        event->revents = thread->pending[n].event;
        event->data = thread->pending[n].data;
        event->speid = thread;
        thread->pending_count--;
        for (left = n; left < thread->pending_count; left++)
            thread->pending[left] = thread->pending[left + 1];
        return 1;
    }
    return 0;
}

static int hand_out(struct spe_event *events, int n)
{
    int filled = 0, k;

    for (k = 0; k < n; k++) {
        struct thread *thread;

        if (!find_group(events[k].gid)) {
            events[k].revents = SPE_EVENT_NVAL;
            filled++;
            continue;
        }
        for (thread = threads; thread; thread = thread->next)
            if (is_member(thread, events[k].gid) && give(&events[k], thread)) {
                filled++;
                break;
            }
    }
    return filled;
}

/* Creates an event handler of version 2 for all requests. Sets `polled` if some of them need polling. */
static spe_event_handler_ptr_t handler_for(const struct spe_event *events, int n, int *polled)
{
    spe_event_handler_ptr_t handler = spe_event_handler_create();
    struct thread *thread;

    for (thread = threads; handler && thread; thread = thread->next) {
        spe_event_unit_t unit = {.events = SPE_EVENT_SPE_STOPPED, .spe = thread->spe};

        if (thread->pending_count == PENDING_MAX)
            continue;
        if (is_wanted(events, n, thread, SPE_EVENT_MAILBOX))
            unit.events |= SPE_EVENT_OUT_INTR_MBOX;
        if (is_wanted(events, n, thread, SPE_EVENT_TAG_GROUP))
            unit.events |= SPE_EVENT_TAG_GROUP;
        if (thread->group->events)
            spe_event_handler_register(handler, &unit);
        else if (unit.events != SPE_EVENT_SPE_STOPPED)
            *polled = 1;
    }
    return handler;
}

static long long now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

int spe_get_event(struct spe_event *pevents, int nevents, int timeout)
{
    long long end = now_ms() + timeout, left = timeout;
    int filled, k;

    if (!pevents || nevents <= 0 || !has_groups()) {
        errno = EINVAL;
        return -1;
    }
    for (k = 0; k < nevents; k++) {
        pevents[k].revents = 0;
        pevents[k].speid = NULL;
        pevents[k].data = 0;
    }
    for (;;) {
        spe_event_handler_ptr_t handler = NULL;
        spe_event_unit_t any;
        int polled = 0, wait_ms;

        pthread_mutex_lock(&lock);
        look(pevents, nevents);
        filled = hand_out(pevents, nevents);
        if (!filled)
            handler = handler_for(pevents, nevents, &polled);
        pthread_mutex_unlock(&lock);
        if (filled || left == 0 || !handler) {
            if (handler)
                spe_event_handler_destroy(handler);
            return filled || handler ? filled : -1;
        }
        wait_ms = timeout < 0 ? -1 : (int)left;
        if (polled && (wait_ms < 0 || wait_ms > LOOK_AGAIN_MS))
            wait_ms = LOOK_AGAIN_MS;
        k = spe_event_wait(handler, &any, 1, wait_ms);
        spe_event_handler_destroy(handler);
        if (k < 0)
            return -1;
        if (timeout >= 0)
            left = end > now_ms() ? end - now_ms() : 0;
    }
}
