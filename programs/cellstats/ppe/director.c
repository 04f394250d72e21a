/* The launch and synchronisation of all measurements on SPEs (abellan2008ps3, 3.1). The PPE marshals control
 * blocks and creates threads; the SPEs fetch and acknowledge their control blocks; the PPE gives its
 * go-ahead; the SPEs mail the ticks of their loops.
 */
#include "director.h"

#include "families.h"
#include "time_base.h"

#define GO 1

void prepare_spes(const struct options *options, struct spe *spes)
{
    struct control_block *blocks = allocate_memory(options->spes * sizeof *blocks);
    uint32_t i;

    for (i = 0; i < options->spes; i++) {
        create_spe(&spes[i], context_flags(options));
        spes[i].block = &blocks[i];
        blocks[i].function = options->function;
        blocks[i].iterations = options->iterations;
        blocks[i].warm_up = options->warm_up;
    }
}

/* An SPE's count of ticks has 32 bits and may have wrapped. The PPE's 64-bit count, which began earlier and
 * ended later, determines the number of wraps. */
static uint64_t unwrapped(uint32_t mailed, uint64_t elapsed)
{
    uint64_t wraps = elapsed > mailed ? (elapsed - mailed) >> 32 : 0;

    return (wraps << 32) + mailed;
}

/* Waits for the SPE's end, and only then reads the ticks from the mailbox. Polling the mailbox earlier would
 * add the PPE's traffic to the measurement. */
static void finish(const struct options *options, struct spe *spe, uint64_t begin)
{
    uint64_t measured = spe->block->role == PPE_RESPONDER ? synchronise_with(options, spe) : 0;
    uint64_t elapsed;

    join_spe(spe);
    elapsed = time_base() - begin;
    spe->ticks = unwrapped(receive_message(spe), elapsed);
    if (measured > 0)
        spe->ticks = measured;
}

static void send_holder_away(struct spe *spe)
{
    send_message(spe, GO);
    join_spe(spe);
}

void direct(const struct options *options, struct spe *spes)
{
    uint32_t i, n = options->spes;
    uint64_t begin;

    for (i = 0; i < n; i++)
        start_spe(&spes[i]);
    for (i = 0; i < n; i++)
        receive_message(&spes[i]);
    begin = time_base();
    for (i = 0; i < n; i++)
        send_message(&spes[i], GO);
    for (i = 0; i < n; i++)
        if (spes[i].block->role != HOLDER)
            finish(options, &spes[i], begin);
    if (spes[0].block->role == HOLDER)
        send_holder_away(&spes[0]);
    for (i = 0; i < n; i++)
        destroy_spe(&spes[i]);
}
