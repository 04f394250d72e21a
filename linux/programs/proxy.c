/* Proxy DMA with tags: the PPE requests transfers from the SPE's MFC.
 *
 *     cellstats run linux/programs/proxy.elf
 *
 * The PPE gets data into the local store of a running SPE in pieces with different tags, and waits with
 * SPE_TAG_ALL, SPE_TAG_ANY and SPE_TAG_IMMEDIATE. The PPE then tells the SPE to change the data, and puts the results
 * into main memory. The transfers use the file `mfc`, mapped registers, and events for completed tag groups.
 *
 * Exit status: 0 if all data came back correctly, otherwise 1, with a line that gives the position of the error.
 */
#include "threads.h"

#include "proxy.h"

extern spe_program_handle_t proxy_spu;

static unsigned int *from, *to;

static void tell(spe_context_ptr_t spe, unsigned int word)
{
    CHECK(spe_in_mbox_write(spe, &word, 1, SPE_MBOX_ALL_BLOCKING) == 1);
}

static unsigned int hear(spe_context_ptr_t spe)
{
    unsigned int word;

    CHECK(spe_out_intr_mbox_read(spe, &word, 1, SPE_MBOX_ALL_BLOCKING) == 1);
    return word;
}

/* Eight pieces, each with its own tag, in two halves. A fence or barrier orders the second half. */
static void get_pieces(spe_context_ptr_t spe, unsigned int ls)
{
    unsigned int n;

    for (n = 0; n < PIECES; n++) {
        char *ea = (char *)from + n * PIECE_BYTES;

        CHECK(spe_mfcio_get(spe, ls + n * PIECE_BYTES, ea, PIECE_BYTES / 2, n, 0, 0) == 0);
        CHECK((n % 2 ? spe_mfcio_getf : spe_mfcio_getb)(spe, ls + n * PIECE_BYTES + PIECE_BYTES / 2,
                                                        ea + PIECE_BYTES / 2, PIECE_BYTES / 2, n, 0, 0) == 0);
    }
}

static void wait_in_all_ways(spe_context_ptr_t spe)
{
    unsigned int done = 0, status;

    CHECK(spe_mfcio_tag_status_read(spe, 1, SPE_TAG_ALL, &status) == 0 && status == 1);
    while (done != 0xe) {
        CHECK(spe_mfcio_tag_status_read(spe, 0xe & ~done, SPE_TAG_ANY, &status) == 0);
        CHECK(status != 0 && (status & ~0xeu) == 0);
        done |= status;
    }
    while (!(done & 0x10)) {
        CHECK(spe_mfcio_tag_status_read(spe, 0x10, SPE_TAG_IMMEDIATE, &status) == 0);
        done |= status;
    }
    /* 0 selects all tag groups that were not yet reported. */
    CHECK(spe_mfcio_tag_status_read(spe, 0, SPE_TAG_ALL, &status) == 0 && status == 0xe0);
    CHECK(spe_mfcio_tag_status_read(spe, 0, SPE_TAG_ALL, &status) == 0 && status == 0);
}

/* Waits by events instead, and checks one tag group at a time. Events also arrive for the other groups. */
static void wait_by_events(spe_context_ptr_t spe, spe_event_handler_ptr_t handler)
{
    unsigned int next = 1, status;

    while (next != 0x100) {
        spe_event_unit_t event;

        CHECK(spe_event_wait(handler, &event, 1, -1) == 1);
        CHECK(event.events == SPE_EVENT_TAG_GROUP && event.spe == spe);
        CHECK(spe_mfcio_tag_status_read(spe, next, SPE_TAG_IMMEDIATE, &status) == 0);
        next <<= status != 0;
    }
}

static void put_and_compare(spe_context_ptr_t spe, unsigned int ls)
{
    unsigned int n, status;

    memset(to, 0, PIECES * PIECE_BYTES);
    for (n = 0; n < PIECES; n++) {
        int (*put)(spe_context_ptr_t, unsigned int, void *, unsigned int, unsigned int, unsigned int,
                   unsigned int) = n % 3 == 0 ? spe_mfcio_put : n % 3 == 1 ? spe_mfcio_putf : spe_mfcio_putb;

        CHECK(put(spe, ls + n * PIECE_BYTES, (char *)to + n * PIECE_BYTES, PIECE_BYTES, 15, 0, 0) == 0);
    }
    CHECK(spe_mfcio_tag_status_read(spe, 1 << 15, SPE_TAG_ALL, &status) == 0 && status == 1 << 15);
    for (n = 0; n < PIECES * PIECE_BYTES / 4; n++)
        CHECK(to[n] == from[n] + 1);
}

static void small_and_wrong(spe_context_ptr_t spe, unsigned int ls)
{
    unsigned int status;

    CHECK(spe_mfcio_put(spe, ls + 4, (char *)to + 4, 4, 0, 0, 0) == 0);
    CHECK(spe_mfcio_tag_status_read(spe, 1, SPE_TAG_ALL, &status) == 0);
    CHECK(spe_mfcio_put(spe, ls, to, 16, 16, 0, 0) == -1 && errno == EINVAL);
    CHECK(spe_mfcio_put(spe, ls + 4, to, 4, 0, 0, 0) == -1 && errno == EINVAL);
    CHECK(spe_mfcio_put(spe, ls, to, 20, 0, 0, 0) == -1 && errno == EINVAL);
    CHECK(spe_mfcio_put(spe, ls, to, 32768, 0, 0, 0) == -1 && errno == EINVAL);
    CHECK(spe_mfcio_put(NULL, ls, to, 16, 0, 0, 0) == -1 && errno == ESRCH);
    CHECK(spe_mfcio_tag_status_read(spe, 1, 4, &status) == -1 && errno == EINVAL);
}

static void round_trip(unsigned int flags)
{
    spe_context_ptr_t spe = loaded(&proxy_spu, flags);
    spe_event_handler_ptr_t handler = spe_event_handler_create();
    spe_event_unit_t unit = {.events = SPE_EVENT_TAG_GROUP, .spe = spe};
    struct spe_thread thread;
    unsigned int ls;

    if (flags & SPE_EVENTS_ENABLE)
        CHECK(spe_event_handler_register(handler, &unit) == 0);
    start_loaded(&thread, spe, NULL, NULL);
    ls = hear(spe);
    get_pieces(spe, ls);
    if (flags & SPE_EVENTS_ENABLE)
        wait_by_events(spe, handler);
    else
        wait_in_all_ways(spe);
    tell(spe, 1);
    CHECK(hear(spe) == 1);
    put_and_compare(spe, ls);
    small_and_wrong(spe, ls);
    tell(spe, 0);
    CHECK(exit_status(&thread) == 0);
    CHECK(spe_event_handler_destroy(handler) == 0);
}

int main(void)
{
    unsigned int n;

    from = lines(PIECES * PIECE_BYTES);
    to = lines(PIECES * PIECE_BYTES);
    for (n = 0; n < PIECES * PIECE_BYTES / 4; n++)
        from[n] = n * 40503u;
    round_trip(0);
    round_trip(SPE_MAP_PS);
    round_trip(SPE_EVENTS_ENABLE);
    printf("%d bytes there and back, three times\n", PIECES * PIECE_BYTES);
    return 0;
}
