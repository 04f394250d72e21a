/* Events: each event belongs to a file of its context, and epoll waits for the file. */
#include "internal.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#define WAIT_MAX 64
#define KINDS 4

/* One event of one context, and the program's data to return with the event. */
struct registration {
    struct registration *next;
    spe_event_unit_t unit;
};

struct handler {
    struct handler *next;
    int epoll;
    pthread_mutex_t lock;
    struct registration *first;
};

static struct handler *handlers;
static pthread_mutex_t handlers_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct {
    unsigned int event;
    enum context_file file; /* FILE_COUNT: the pipe of the context's stops */
    unsigned int ready;
} KIND[KINDS] = {
    {SPE_EVENT_OUT_INTR_MBOX, FILE_IBOX_NOW, EPOLLIN},
    {SPE_EVENT_IN_MBOX, FILE_WBOX_NOW, EPOLLOUT},
    {SPE_EVENT_TAG_GROUP, FILE_MFC, EPOLLIN},
    {SPE_EVENT_SPE_STOPPED, FILE_COUNT, EPOLLIN},
};

spe_event_handler_ptr_t spe_event_handler_create(void)
{
    struct handler *handler = calloc(1, sizeof *handler);

    if (!handler) {
        errno = ENOMEM;
        return NULL;
    }
    handler->epoll = epoll_create(WAIT_MAX);
    if (handler->epoll < 0) {
        free(handler);
        return NULL;
    }
    pthread_mutex_init(&handler->lock, NULL);
    pthread_mutex_lock(&handlers_lock);
    handler->next = handlers;
    handlers = handler;
    pthread_mutex_unlock(&handlers_lock);
    return handler;
}

int spe_event_handler_destroy(spe_event_handler_ptr_t evhandler)
{
    struct handler *handler = evhandler, **link = &handlers;
    struct registration *registration;

    if (!handler) {
        errno = ESRCH;
        return -1;
    }
    pthread_mutex_lock(&handlers_lock);
    while (*link && *link != handler)
        link = &(*link)->next;
    if (*link)
        *link = handler->next;
    pthread_mutex_unlock(&handlers_lock);
    while ((registration = handler->first)) {
        handler->first = registration->next;
        free(registration);
    }
    close(handler->epoll);
    pthread_mutex_destroy(&handler->lock);
    free(handler);
    return 0;
}

static int refused(const struct handler *handler, const spe_event_unit_t *event)
{
    if (!handler)
        errno = ESRCH;
    else if (!event || !event->spe)
        errno = EINVAL;
    else if (!event->spe->event_private || event->events & ~SPE_EVENT_ALL_EVENTS)
        errno = ENOTSUP;
    else
        return 0;
    return 1;
}

static int file_of(spe_context_ptr_t spe, int kind)
{
    if (KIND[kind].file == FILE_COUNT)
        return spe->event_private->pipe[0];
    return context_file(spe, KIND[kind].file);
}

/* The link to the registration of an event, or the end of the list. */
static struct registration **find(struct handler *handler, spe_context_ptr_t spe, unsigned int event)
{
    struct registration **link = &handler->first;

    while (*link && ((*link)->unit.spe != spe || (*link)->unit.events != event))
        link = &(*link)->next;
    return link;
}

/* Registers an event. A second registration replaces the data. */
static int add(struct handler *handler, const spe_event_unit_t *event, int kind)
{
    struct registration **link = find(handler, event->spe, KIND[kind].event);
    int known = *link != NULL;
    struct registration *registration = known ? *link : calloc(1, sizeof *registration);
    struct epoll_event wanted = {.events = KIND[kind].ready, .data.ptr = registration};
    int file = file_of(event->spe, kind);

    if (!registration || file < 0) {
        if (!known)
            free(registration);
        return -1;
    }
    /* A previous context at this address has closed its files. */
    if ((!known || epoll_ctl(handler->epoll, EPOLL_CTL_MOD, file, &wanted)) &&
        epoll_ctl(handler->epoll, EPOLL_CTL_ADD, file, &wanted)) {
        if (!known)
            free(registration);
        return -1;
    }
    registration->unit = *event;
    registration->unit.events = KIND[kind].event;
    *link = registration;
    return 0;
}

static int drop(struct handler *handler, const spe_event_unit_t *event, int kind)
{
    struct registration **link = find(handler, event->spe, KIND[kind].event);
    struct registration *registration = *link;
    struct epoll_event none = {.events = 0};

    if (!registration)
        return 0;
    *link = registration->next;
    free(registration);
    return epoll_ctl(handler->epoll, EPOLL_CTL_DEL, file_of(event->spe, kind), &none);
}

static int each(struct handler *handler, spe_event_unit_t *event,
                int (*change)(struct handler *, const spe_event_unit_t *, int))
{
    int failed = 0, kind;

    if (refused(handler, event))
        return -1;
    pthread_mutex_lock(&handler->lock);
    for (kind = 0; kind < KINDS; kind++)
        if (event->events & KIND[kind].event && change(handler, event, kind))
            failed = -1;
    pthread_mutex_unlock(&handler->lock);
    return failed;
}

int spe_event_handler_register(spe_event_handler_ptr_t evhandler, spe_event_unit_t *event)
{
    return each(evhandler, event, add);
}

int spe_event_handler_deregister(spe_event_handler_ptr_t evhandler, spe_event_unit_t *event)
{
    return each(evhandler, event, drop);
}

void events_forget(spe_context_ptr_t spe)
{
    struct handler *handler;
    int kind;

    if (!spe->event_private)
        return;
    pthread_mutex_lock(&handlers_lock);
    for (handler = handlers; handler; handler = handler->next) {
        spe_event_unit_t all = {.events = SPE_EVENT_ALL_EVENTS, .spe = spe};

        pthread_mutex_lock(&handler->lock);
        for (kind = 0; kind < KINDS; kind++)
            drop(handler, &all, kind);
        pthread_mutex_unlock(&handler->lock);
    }
    pthread_mutex_unlock(&handlers_lock);
}

/* Whether the registration that epoll returned still exists. Another thread may have removed it. */
static int is_known(const struct handler *handler, const struct registration *named)
{
    const struct registration *registration = handler->first;

    while (registration && registration != named)
        registration = registration->next;
    return registration != NULL;
}

/* Delivers the events that epoll cannot see: tag groups that only the kernel has reported so far. */
static int untold(const struct handler *handler, spe_event_unit_t *events, int max)
{
    const struct registration *registration;
    int filled = 0;

    for (registration = handler->first; registration && filled < max; registration = registration->next)
        if (registration->unit.events == SPE_EVENT_TAG_GROUP && proxy_untold(registration->unit.spe))
            events[filled++] = registration->unit;
    return filled;
}

static int is_among(const spe_event_unit_t *events, int n, const spe_event_unit_t *unit)
{
    while (n-- > 0)
        if (events[n].spe == unit->spe && events[n].events == unit->events)
            return 1;
    return 0;
}

int spe_event_wait(spe_event_handler_ptr_t evhandler, spe_event_unit_t *events, int max_events, int timeout)
{
    struct handler *handler = evhandler;
    struct epoll_event ready[WAIT_MAX];
    int found, filled, n;

    if (!handler || !events || max_events <= 0) {
        errno = handler ? EINVAL : ESRCH;
        return -1;
    }
    if (max_events > WAIT_MAX)
        max_events = WAIT_MAX;
    pthread_mutex_lock(&handler->lock);
    filled = untold(handler, events, max_events);
    pthread_mutex_unlock(&handler->lock);
    /* A signal handler does not end an unlimited wait. It ends any other wait like a timeout. */
    do
        found = epoll_wait(handler->epoll, ready, max_events, filled ? 0 : timeout);
    while (found < 0 && errno == EINTR && timeout < 0 && !filled);
    if (found < 0)
        return filled || errno == EINTR ? filled : -1;
    pthread_mutex_lock(&handler->lock);
    for (n = 0; n < found && filled < max_events; n++) {
        const struct registration *named = ready[n].data.ptr;

        if (is_known(handler, named) && !is_among(events, filled, &named->unit))
            events[filled++] = named->unit;
    }
    pthread_mutex_unlock(&handler->lock);
    return filled;
}
