/* FUNCTION mkthread: an SPE thread is a context, a loaded program, and a thread of the PPE that runs it. */
#include "families.h"
#include "time_base.h"

static void create_and_join(const struct options *options, struct spe *spes, uint64_t iterations)
{
    uint32_t i;

    for (; iterations > 0; iterations--) {
        for (i = 0; i < options->spes; i++) {
            create_spe(&spes[i], 0);
            start_spe(&spes[i]);
        }
        for (i = 0; i < options->spes; i++) {
            join_spe(&spes[i]);
            destroy_spe(&spes[i]);
        }
    }
}

void measure_threads(const struct options *options, struct spe *spes)
{
    uint64_t before, ticks;
    uint32_t i;

    create_and_join(options, spes, options->warm_up);
    before = time_base();
    create_and_join(options, spes, options->iterations);
    ticks = time_base() - before;
    for (i = 0; i < options->spes; i++)
        spes[i].ticks = ticks / options->spes;
}
