/* CellStats, the Linux program: measures communication and synchronisation primitives of the Cell as
 * abellan2008ps3 describes (section 3), with libspe2.
 *
 *     cellstats -f dmaget -n 6 -b 1k -i 1m
 *
 * prints the average time of an iteration and, if data move, the bandwidth of all SPEs together. The SPE
 * side is in spe/. The exit status is 0, or 1 after a failure, or 2 for an invalid command line.
 */
#include <stdlib.h>

#include "director.h"
#include "failure.h"
#include "families.h"
#include "quantities.h"
#include "time_base.h"

static void measure(const struct options *options, struct spe *spes)
{
    if (options->function == MKTHREAD) {
        measure_threads(options, spes);
        return;
    }
    prepare_spes(options, spes);
    if (is_synchronisation(options->function))
        lay_out_synchronisation(options, spes);
    else if (is_transfer(options->function))
        lay_out_transfers(options, spes);
    else
        lay_out_atomics(options, spes);
    direct(options, spes);
}

/* Whether the SPE measured. An SPE that only held a buffer did not. */
static int has_measured(const struct spe *spe)
{
    return spe->block == NULL || spe->block->role != HOLDER;
}

static void print_result(const struct options *options, const struct spe *spes)
{
    const double ns = ns_per_tick() / (double)options->iterations;
    double sum_ns = 0, gb_s = 0;
    uint32_t i, measured = 0;

    for (i = 0; i < options->spes; i++) {
        double latency_ns = ns * (double)spes[i].ticks;

        if (!has_measured(&spes[i]))
            continue;
        measured++;
        sum_ns += latency_ns;
        /* Bytes per nanosecond are equal to 10^9 bytes per second. */
        gb_s += (double)iteration_bytes(options) / latency_ns;
    }
    print_latency(sum_ns / measured);
    if (is_transfer(options->function))
        print_bandwidth(gb_s);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv);
    struct spe *spes = calloc(options.spes, sizeof *spes);

    if (spes == NULL)
        fail_call("calloc");
    measure(&options, spes);
    print_result(&options, spes);
    return 0;
}
