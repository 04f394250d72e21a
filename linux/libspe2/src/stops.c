/* Stops that wait to be read, for programs that receive them as events.
 *
 * A pipe holds one byte while stops are waiting, so that epoll reports them. If a program never reads its
 * stops, the oldest stops are lost when very many have accumulated, but the program is never blocked.
 */
#include "internal.h"

#include <stdlib.h>
#include <unistd.h>

#define FIRST_SIZE 16
#define STOPS_MAX 65536

int stops_create(spe_context_ptr_t spe)
{
    struct spe_context_event_priv *private = calloc(1, sizeof *private);

    if (!private || pipe(private->pipe)) {
        free(private);
        return -1;
    }
    pthread_mutex_init(&private->lock, NULL);
    spe->event_private = private;
    return 0;
}

void stops_destroy(spe_context_ptr_t spe)
{
    struct spe_context_event_priv *private = spe->event_private;

    if (!private)
        return;
    close(private->pipe[0]);
    close(private->pipe[1]);
    pthread_mutex_destroy(&private->lock);
    free(private->stops);
    free(private);
}

/* Makes room for another stop: enlarges the ring, or drops the oldest stop. */
static int make_room(struct spe_context_event_priv *private)
{
    unsigned int size = private->size ? 2 * private->size : FIRST_SIZE;
    spe_stop_info_t *larger;
    unsigned int n;

    if (private->count < private->size)
        return 1;
    larger = size <= STOPS_MAX ? malloc(size * sizeof *larger) : NULL;
    if (!larger) {
        if (private->size == 0)
            return 0;
        private->first = (private->first + 1) % private->size;
        private->count--;
        return 1;
    }
    for (n = 0; n < private->count; n++)
        larger[n] = private->stops[(private->first + n) % private->size];
    free(private->stops);
    private->stops = larger;
    private->size = size;
    private->first = 0;
    return 1;
}

void stops_push(spe_context_ptr_t spe, const spe_stop_info_t *info)
{
    struct spe_context_event_priv *private = spe->event_private;

    if (!private)
        return;
    pthread_mutex_lock(&private->lock);
    if (make_room(private)) {
        private->stops[(private->first + private->count) % private->size] = *info;
        if (private->count++ == 0 && write(private->pipe[1], "", 1) != 1)
            private->count = 0;
    }
    pthread_mutex_unlock(&private->lock);
}

int spe_stop_info_read(spe_context_ptr_t spe, spe_stop_info_t *stopinfo)
{
    struct spe_context_event_priv *private = spe ? spe->event_private : NULL;
    int found;
    char byte;

    if (!private || !stopinfo) {
        errno = !spe ? ESRCH : !private ? ENOTSUP : EINVAL;
        return -1;
    }
    pthread_mutex_lock(&private->lock);
    found = private->count > 0;
    if (found) {
        *stopinfo = private->stops[private->first];
        private->first = (private->first + 1) % private->size;
        if (--private->count == 0)
            found = read(private->pipe[0], &byte, 1) == 1;
    }
    pthread_mutex_unlock(&private->lock);
    if (!found) {
        errno = EAGAIN;
        return -1;
    }
    return 0;
}
