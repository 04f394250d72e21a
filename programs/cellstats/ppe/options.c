#include "options.h"

#include <getopt.h>
#include <libspe2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "quantities.h"

#define SPES_MAX 16
#define LINE_BYTES 128
#define DMA_BYTES_MAX 16384
#define LIST_ELEMENTS_MAX 2048
#define ITERATIONS_MAX 1000000000u
#define STRIDE_BYTES_MAX (1u << 30)

/* The names, in the order of `enum function`. */
static const char *const names[] = {"mkthread",   "mailbox",  "signal",   "dmaget",   "dmaput",   "dmalistget",
                                    "dmalistput", "fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset"};
#define FUNCTIONS (sizeof names / sizeof *names)

static const char usage[] =
    "Usage: cellstats -f FUNCTION [-n N | -N N] [-i ITER] [-b SIZE] [-l LIST] [-t STRIDE] [-s]\n"
    "\n"
    "  -f FUNCTION  mkthread; mailbox, signal; dmaget, dmaput, dmalistget, dmalistput;\n"
    "               fetchadd, fetchsub, fetchinc, fetchdec, fetchset\n"
    "  -n N         N SPEs, which share a buffer or variable\n"
    "  -N N         N SPEs, each with a buffer or variable of its own\n"
    "  -i ITER      iterations of the measured loop [10k]\n"
    "  -b SIZE      bytes of a DMA or of a list's element [128]\n"
    "  -l LIST      elements of a DMA list [1]\n"
    "  -t STRIDE    bytes between two buffers or variables of -N [128]\n"
    "  -s           between SPEs; DMA: with SPE 0's local store\n"
    "  --ppe WAY    how the PPE reaches SPEs: library, or mmio (their registers) [library]\n"
    "  --batch K    wait after every K DMAs; 0: once, at the end [1]\n"
    "\n"
    "k and m are 1000 and 1000000, of bytes 1024 and 1048576.\n";

static enum function function_named(const char *name)
{
    unsigned int i;

    for (i = 0; i < FUNCTIONS; i++)
        if (strcmp(name, names[i]) == 0)
            return (enum function)i;
    refuse("unknown function '%s'; --help lists all", name);
}

/* Parses a number within limits. `option` is the option that has this value. */
static uint64_t number(const char *option, uint32_t thousand, uint64_t least, uint64_t most)
{
    uint64_t value;

    if (!parse_number(optarg, thousand, &value))
        refuse("%s '%s' is not a whole number; write digits, with or without k (%u) or m, such as 100k",
               option, optarg, thousand);
    if (value < least || value > most)
        refuse("%s %s: give %llu to %llu", option, optarg, (unsigned long long)least,
               (unsigned long long)most);
    return value;
}

static int is_by_register(void)
{
    if (strcmp(optarg, "library") != 0 && strcmp(optarg, "mmio") != 0)
        refuse("--ppe %s: the ways from the PPE to an SPE are library and mmio", optarg);
    return strcmp(optarg, "mmio") == 0;
}

/* Parses the flags. SPEs, elements and size are 0 if not given, and `function` is FUNCTIONS. */
static struct options parse(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"ppe", required_argument, NULL, 'p'},
        {"batch", required_argument, NULL, 'B'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct options options = {.function = (enum function)FUNCTIONS, .iterations = 10000, .batch = 1};
    int option;

    while ((option = getopt_long(argc, argv, "f:n:N:i:b:l:t:sh", long_options, NULL)) != -1) {
        switch (option) {
        case 'f':
            options.function = function_named(optarg);
            break;
        case 'n':
        case 'N':
            if (options.spes > 0)
                refuse("-n and -N exclude each other; give -n for a shared or -N for private buffers");
            options.spes = (uint32_t)number(option == 'n' ? "-n" : "-N", KILO, 1, SPES_MAX);
            options.own_data = option == 'N';
            break;
        case 'i':
            options.iterations = number("-i", KILO, 1, ITERATIONS_MAX);
            break;
        case 'b':
            options.size_bytes = (uint32_t)number("-b", KIBI, 1, DMA_BYTES_MAX);
            break;
        case 'l':
            options.list_elements = (uint32_t)number("-l", KILO, 1, LIST_ELEMENTS_MAX);
            break;
        case 't':
            options.stride_bytes = number("-t", KIBI, 1, STRIDE_BYTES_MAX);
            break;
        case 's':
            options.spe_to_spe = 1;
            break;
        case 'p':
            options.by_register = is_by_register();
            break;
        case 'B':
            options.batch = (uint32_t)number("--batch", KILO, 0, UINT32_MAX);
            break;
        case 'h':
            fputs(usage, stdout);
            exit(0);
        default:
            exit(2);
        }
    }
    if (optind < argc)
        refuse("%s is too much; --help lists the flags", argv[optind]);
    return options;
}

static void check_sizes(const struct options *options)
{
    enum function function = options->function;
    uint32_t bytes = options->size_bytes, unit = is_transfer(function) ? 16 : sizeof(uint32_t);

    if (bytes > 0 && !is_transfer(function))
        refuse("-b with %s: only DMA functions have a size", names[function]);
    if (bytes % 16 != 0 && bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
        refuse("-b %u: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k", bytes);
    if (options->list_elements > 0 && !is_list_transfer(function))
        refuse("-l with %s: only dmalistget and dmalistput use lists", names[function]);
    if (options->stride_bytes > 0 && !options->own_data)
        refuse("-t with %s: a stride is between private buffers, give -N", names[function]);
    if (options->stride_bytes % unit != 0)
        refuse("-t %llu: the stride of %s is a multiple of %u bytes",
               (unsigned long long)options->stride_bytes,
               is_transfer(function) ? "DMA buffers" : "32-bit variables", unit);
}

static void check_partners(const struct options *options)
{
    enum function function = options->function;
    int most = spe_cpu_info_get(SPE_COUNT_USABLE_SPES, -1);

    if (most < 0)
        fail_call("spe_cpu_info_get");
    if (options->spes > (uint32_t)most)
        refuse("%u SPEs: there are %d to use", options->spes, most);
    if (options->own_data && !is_transfer(function) && function < FETCHADD)
        refuse("-N with %s: there is no buffer or variable, give -n", names[function]);
    if (options->by_register && !is_synchronisation(function))
        refuse("--ppe with %s: only mailbox and signal go by registers", names[function]);
    if (options->spe_to_spe && function == MKTHREAD)
        refuse("-s with mkthread: the PPE creates threads, leave -s out");
    if (options->spe_to_spe && function >= FETCHADD)
        refuse("-s with %s: atomic operations on a remote local store are not possible", names[function]);
    if (options->spe_to_spe && is_synchronisation(function) && options->spes % 2 == 1)
        refuse("-n %u with -s: SPEs synchronise in pairs, give an even number", options->spes);
}

/* The number of warm-up iterations: a thousand (abellan2008ps3, 3.2) or, if less, a quarter of the measured
 * iterations, but always enough for the last SPE to start before the first SPE begins to measure. */
static uint64_t warm_up(const struct options *options)
{
    const uint64_t most = 1000, bytes = iteration_bytes(options);
    uint64_t least = options->function == MKTHREAD ? 1 : 300, quarter = options->iterations / 4;

    if (bytes > 400 * KIBI / 300)
        least = bytes < 400 * KIBI / 32 ? 400 * KIBI / bytes : 32;
    return quarter < least ? least : quarter > most ? most : quarter;
}

struct options read_options(int argc, char **argv)
{
    struct options options = parse(argc, argv);

    if (options.function == (enum function)FUNCTIONS)
        refuse("nothing to measure; give -f FUNCTION, --help lists all");
    check_sizes(&options);
    if (options.spes == 0)
        options.spes = options.spe_to_spe ? 2 : 1;
    if (options.size_bytes == 0 && is_transfer(options.function))
        options.size_bytes = LINE_BYTES;
    if (options.list_elements == 0 && is_list_transfer(options.function))
        options.list_elements = 1;
    check_partners(&options);
    options.warm_up = warm_up(&options);
    return options;
}

uint64_t iteration_bytes(const struct options *options)
{
    uint32_t elements = options->list_elements > 0 ? options->list_elements : 1;

    return (uint64_t)options->size_bytes * elements;
}

uint64_t distance_bytes(const struct options *options, uint64_t bytes)
{
    uint64_t stride = options->stride_bytes > 0 ? options->stride_bytes : LINE_BYTES;

    return options->own_data ? (bytes + stride - 1) / stride * stride : 0;
}
