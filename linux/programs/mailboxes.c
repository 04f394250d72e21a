/* All three kinds of mailboxes, with every kind of waiting: through files, registers, and events.
 *
 *     cellstats run linux/programs/mailboxes.elf
 *
 * Runs three rounds with one SPE: in a plain context, in a context with SPE_MAP_PS, and in a context with
 * SPE_EVENTS_ENABLE, where spe_event_wait waits for the messages.
 *
 * Exit status: 0 if every message arrived correctly, otherwise 1, with a line that names the error.
 */
#include "threads.h"

#include "mailboxes.h"

extern spe_program_handle_t mailboxes_spu;

/* Before the program runs, the mailbox takes exactly four entries. */
static void fill_early(spe_context_ptr_t spe)
{
    unsigned int early[EARLY + 2] = {1, 2, 3, 4, 5, 6};

    CHECK(spe_in_mbox_status(spe) == EARLY);
    CHECK(spe_in_mbox_write(spe, early, EARLY + 2, SPE_MBOX_ANY_NONBLOCKING) == EARLY);
    CHECK(spe_in_mbox_status(spe) == 0);
    CHECK(spe_in_mbox_write(spe, early, 1, SPE_MBOX_ANY_NONBLOCKING) == 0);
    CHECK(spe_out_mbox_status(spe) == 0 && spe_out_mbox_read(spe, early, 1) == 0);
    CHECK(spe_out_intr_mbox_status(spe) == 0);
    CHECK(spe_out_intr_mbox_read(spe, early, 1, SPE_MBOX_ANY_NONBLOCKING) == 0);
}

static unsigned int from_out_mailbox(spe_context_ptr_t spe)
{
    unsigned int word;

    while (spe_out_mbox_status(spe) == 0)
        ;
    CHECK(spe_out_mbox_read(spe, &word, 1) == 1);
    return word;
}

static void blocking_round(unsigned int flags)
{
    spe_context_ptr_t spe = loaded(&mailboxes_spu, flags);
    unsigned int words[MANY], n, done = 0;
    struct spe_thread thread;

    fill_early(spe);
    start_loaded(&thread, spe, NULL, NULL);
    CHECK(from_out_mailbox(spe) == 1 + 2 + 3 + 4);

    for (n = 0; n < MANY; n++)
        words[n] = n;
    CHECK(spe_in_mbox_write(spe, words, MANY / 2, SPE_MBOX_ALL_BLOCKING) == MANY / 2);
    for (n = MANY / 2; n < MANY;) {
        int written = spe_in_mbox_write(spe, words + n, MANY - n, SPE_MBOX_ANY_BLOCKING);

        CHECK(written > 0);
        n += written;
    }
    CHECK(spe_out_intr_mbox_read(spe, words, 1, SPE_MBOX_ANY_BLOCKING) == 1);
    CHECK(words[0] == MANY * (MANY - 1) / 2);

    CHECK(spe_out_intr_mbox_read(spe, words, MANY / 2, SPE_MBOX_ALL_BLOCKING) == MANY / 2);
    for (done = MANY / 2; done < MANY;) {
        int read = spe_out_intr_mbox_read(spe, words + done, MANY - done, SPE_MBOX_ANY_NONBLOCKING);

        CHECK(read >= 0);
        done += read;
    }
    for (n = 0; n < MANY; n++)
        CHECK(words[n] == n * n);
    CHECK(exit_status(&thread) == EXIT);
}

/* Waits for the event `wanted` and ignores all others. */
static void await(spe_event_handler_ptr_t handler, unsigned int wanted)
{
    spe_event_unit_t events[4];
    int n, found;

    for (;;) {
        found = spe_event_wait(handler, events, 4, -1);
        CHECK(found > 0);
        for (n = 0; n < found; n++) {
            CHECK(events[n].data.u32 == TOKEN);
            if (events[n].events & wanted)
                return;
        }
    }
}

static void event_round(void)
{
    spe_context_ptr_t spe = loaded(&mailboxes_spu, SPE_EVENTS_ENABLE);
    spe_event_handler_ptr_t handler = spe_event_handler_create();
    spe_event_unit_t unit = {.events = SPE_EVENT_OUT_INTR_MBOX | SPE_EVENT_SPE_STOPPED, .spe = spe};
    unsigned int word, n;
    struct spe_thread thread;
    spe_stop_info_t stop;

    CHECK(handler != NULL);
    unit.data.u32 = TOKEN;
    CHECK(spe_event_handler_register(handler, &unit) == 0);
    CHECK(spe_event_wait(handler, &unit, 1, 0) == 0);
    fill_early(spe);
    start_loaded(&thread, spe, NULL, NULL);
    CHECK(from_out_mailbox(spe) == 1 + 2 + 3 + 4);

    unit.events = SPE_EVENT_IN_MBOX;
    CHECK(spe_event_handler_register(handler, &unit) == 0);
    for (n = 0; n < MANY; n++) {
        await(handler, SPE_EVENT_IN_MBOX);
        CHECK(spe_in_mbox_write(spe, &n, 1, SPE_MBOX_ANY_NONBLOCKING) == 1);
    }
    unit.events = SPE_EVENT_IN_MBOX;
    CHECK(spe_event_handler_deregister(handler, &unit) == 0);
    for (n = 0; n <= MANY; n++) {
        await(handler, SPE_EVENT_OUT_INTR_MBOX);
        CHECK(spe_out_intr_mbox_read(spe, &word, 1, SPE_MBOX_ANY_NONBLOCKING) == 1);
        CHECK(word == (n == 0 ? MANY * (MANY - 1) / 2 : (n - 1) * (n - 1)));
    }
    await(handler, SPE_EVENT_SPE_STOPPED);
    CHECK(spe_stop_info_read(spe, &stop) == 0);
    CHECK(stop.stop_reason == SPE_EXIT && stop.result.spe_exit_code == EXIT);
    CHECK(spe_stop_info_read(spe, &stop) == -1 && errno == EAGAIN);
    CHECK(exit_status(&thread) == EXIT);
    CHECK(spe_event_handler_destroy(handler) == 0);
}

int main(void)
{
    blocking_round(0);
    blocking_round(SPE_MAP_PS);
    event_round();
    printf("three rounds of %d messages\n", EARLY + 1 + 2 * MANY + 1);
    return 0;
}
