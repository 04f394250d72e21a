/* FUNCTIONs mailbox and signal: between the PPE and each SPE in turn, or between pairs of SPEs. */
#include "families.h"
#include "registers.h"
#include "time_base.h"

unsigned int context_flags(const struct options *options)
{
    int by_register = options->spe_to_spe || options->by_register;

    return is_synchronisation(options->function) && by_register ? SPE_MAP_PS : 0;
}

void lay_out_synchronisation(const struct options *options, struct spe *spes)
{
    uint32_t i;

    for (i = 0; i < options->spes; i++) {
        struct control_block *block = spes[i].block;
        struct spe *partner = &spes[i ^ 1];

        block->role = PPE_RESPONDER;
        if (options->spe_to_spe) {
            block->role = i % 2 == 0 ? ACTIVE : RESPONDER;
            block->ea = (uintptr_t)(options->function == MAILBOX ? in_mailbox(partner) : signal_1(partner));
        }
    }
}

static void exchange_by_library(enum function function, struct spe *spe, uint64_t iterations)
{
    for (; iterations > 0; iterations--) {
        if (function == MAILBOX)
            send_message(spe, READY);
        else
            spe_signal_write(spe->context, SPE_SIG_NOTIFY_REG_1, READY);
        receive_message(spe);
    }
}

static void exchange_by_register(enum function function, struct spe *spe, uint64_t iterations)
{
    volatile spe_spu_control_area_t *control = control_area(spe);
    volatile unsigned int *signal = signal_1(spe);

    for (; iterations > 0; iterations--) {
        if (function == MAILBOX)
            write_in_mailbox(control, READY);
        else
            write_signal(signal, READY);
        read_out_mailbox(control);
    }
}

static void exchange(const struct options *options, struct spe *spe, uint64_t iterations)
{
    if (options->by_register)
        exchange_by_register(options->function, spe, iterations);
    else
        exchange_by_library(options->function, spe, iterations);
}

uint64_t synchronise_with(const struct options *options, struct spe *spe)
{
    uint64_t before;

    exchange(options, spe, options->warm_up);
    before = time_base();
    exchange(options, spe, options->iterations);
    return time_base() - before;
}
