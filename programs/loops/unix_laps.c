/* Laps of tests as in the BYTE UNIX Benchmarks, of which results on a PlayStation 3 are public.
 *
 *     cellstats run programs/loops/unix_laps.elf TEST [LAPS]
 *
 * Prints TEST, LAPS and the duration of these laps in time-base ticks. A lap of TEST is
 *
 *     short         the sum of i * i / (i * i - 1) for i from 2 to 101, in integers of 16 bits
 *     int           the same in integers of 32 bits
 *     float         the same in single precision, with each i converted from an integer
 *     double        the same in double precision
 *     overhead      what is around these sums: a counter in memory, and a call of a function that returns 0
 *     hanoi         ten disks of the Tower of Hanoi, with a counter in memory for each peg
 *     system-calls  five calls: dup(0), close of the duplicate, getpid, getuid and umask
 *
 * A PlayStation 3 with Linux 2.6.16 ran the original tests in 2008 (version 4.1.0, in the public collection
 * hamano/unixbench-results). These are tests of our own that do the same work. A lap also increments a counter in
 * memory, as theirs does. They count laps until an alarm ends them; here the number of laps is given, and a few laps
 * before the measured ones fill the caches.
 *
 * Today's compilers would inline and unroll what the compiler of 2008 did not; an attribute and pragmas prevent it.
 *
 * Exit status: 0, 1 if a lap's result was wrong, or 2 if the arguments are wrong.
 */
#include "../../linux/programs/check.h"

#include <sys/stat.h>
#include <unistd.h>

#define ONCE __attribute__((noipa))
/* Only one turn of a loop between branches, and so only one chain of sums. */
#define ROLLED _Pragma("GCC unroll 1")
#define FIRST 2
#define LAST 101
#define DISKS 10
#define WARM_LAPS 10

static volatile unsigned long counter;

/* A sum in one type. The parameter makes each lap depend on the one before. */
#define SUM(type)                                                                              \
    static ONCE int sum_##type(int i)                                                          \
    {                                                                                          \
        type number, square, sum = 0;                                                          \
                                                                                               \
        ROLLED                                                                                 \
        for (i = FIRST; i <= LAST; i++) {                                                      \
            number = i;                                                                        \
            square = number * number;                                                          \
            sum += square / (square - 1);                                                      \
        }                                                                                      \
        return sum;                                                                            \
    }                                                                                          \
                                                                                               \
    static void laps_##type(unsigned long laps)                                                \
    {                                                                                          \
        int result = 0;                                                                        \
                                                                                               \
        ROLLED                                                                                 \
        for (; laps; laps--) {                                                                 \
            counter++;                                                                         \
            result = sum_##type(result);                                                       \
        }                                                                                      \
        /* 100 terms, each of which exceeds 1, but together by less than 1. */                 \
        CHECK(result == LAST - FIRST + 1);                                                     \
    }

SUM(short)
SUM(int)
SUM(float)
SUM(double)

/* Compilers removed the loop, which had nothing left to do: 100 turns take longer than the published 55 cycles. */
static ONCE int nothing(int i)
{
    (void)i;
    return 0;
}

static void laps_overhead(unsigned long laps)
{
    int result = 0;

    ROLLED
    for (; laps; laps--) {
        counter++;
        result = nothing(result);
    }
    CHECK(result == 0);
}

static int pegs[4];

/* Moves a tower of some disks. The numbers of the three pegs sum to 6. */
static ONCE void move(int disks, int from, int to)
{
    int by = 6 - (from + to);

    if (disks == 1) {
        pegs[from]--;
        pegs[to]++;
        return;
    }
    move(disks - 1, from, by);
    move(1, from, to);
    move(disks - 1, by, to);
}

static void laps_hanoi(unsigned long laps)
{
    int before = pegs[3];
    unsigned long n;

    for (n = 0; n < laps; n++) {
        move(DISKS, 1, 3);
        counter++;
    }
    CHECK(pegs[3] - before == (int)(DISKS * laps) && pegs[1] == -pegs[3] && pegs[2] == 0);
}

static void laps_system_calls(unsigned long laps)
{
    for (; laps; laps--) {
        close(dup(STDIN_FILENO));
        getpid();
        getuid();
        umask(022);
        counter++;
    }
}

static const struct {
    const char *name;
    void (*run)(unsigned long laps);
    unsigned long laps;
} tests[] = {
    { "short", laps_short, 1000 },
    { "int", laps_int, 1000 },
    { "float", laps_float, 500 },
    { "double", laps_double, 500 },
    { "overhead", laps_overhead, 20000 },
    { "hanoi", laps_hanoi, 100 },
    { "system-calls", laps_system_calls, 2000 },
};

#define TESTS (sizeof tests / sizeof *tests)

/* The number of laps that the arguments ask for, or 0 if they are wrong. */
static unsigned long wanted(int argc, char **argv, unsigned long test)
{
    unsigned long laps;
    char *end;

    if (argc < 2 || argc > 3 || test == TESTS)
        return 0;
    if (argc == 2)
        return tests[test].laps;
    errno = 0;
    laps = strtoul(argv[2], &end, 10);
    return *argv[2] < '0' || *argv[2] > '9' || *end || errno ? 0 : laps;
}

int main(int argc, char **argv)
{
    unsigned long test = 0, laps;
    unsigned long long begun, ticks;

    while (argc > 1 && test < TESTS && strcmp(argv[1], tests[test].name))
        test++;
    laps = wanted(argc, argv, test);
    if (laps == 0) {
        fprintf(stderr, "unix_laps: give short, int, float, double, overhead, hanoi or system-calls, then perhaps a "
                        "number of laps from 1\n");
        return 2;
    }
    tests[test].run(WARM_LAPS);
    begun = __builtin_ppc_get_timebase();
    tests[test].run(laps);
    ticks = __builtin_ppc_get_timebase() - begun;
    printf("%s %lu %llu\n", tests[test].name, laps, ticks);
    return 0;
}
