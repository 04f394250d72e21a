/* Loads of the PPE from one level of its memory hierarchy.
 *
 *     cellstats run linux/programs/loads.elf LOOP BYTES [LAPS]
 *
 * Prints the duration of LAPS laps over BYTES bytes in time-base ticks, and the number of loads. LOOP is
 *
 *     chase    each load gives the address of the next load, in another line
 *     words    loads every word, in order
 *     lines    loads one word of every other line, in order
 *     touched  the same, but touches each line by dcbt before
 *     code     executes BYTES bytes of straight-line code; the number is that of its instructions
 *
 * One lap before the measured ones brings the lines into the caches. The loops are in assembly, so that no compiler
 * changes them.
 *
 * Exit status: 0, or 2 if the arguments are wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE 128
#define BYTES_MAX (16u << 20)
/* Distance in lines between two loads of a chase. It is prime and larger than one, so that no stream is detected. */
#define APART 7
/* Distance between a touch and the load of the same line. */
#define AHEAD (8 * 2 * LINE)

typedef unsigned long (*loop)(char *, unsigned long);

static unsigned long chase(char *at, unsigned long bytes)
{
    unsigned long n = bytes / LINE;

    __asm__ volatile("mtctr %1\n"
                     "0: lwz %0,0(%0)\n"
                     "bdnz 0b"
                     : "+b"(at)
                     : "r"(n)
                     : "ctr", "memory");
    return n;
}

static unsigned long words(char *at, unsigned long bytes)
{
    __asm__ volatile("mtctr %1\n"
                     "0:\n"
                     ".set offset, 0\n"
                     ".rept 32\n"
                     "lwz 9,offset(%0)\n"
                     ".set offset, offset + 4\n"
                     ".endr\n"
                     "addi %0,%0,128\n"
                     "bdnz 0b"
                     : "+b"(at)
                     : "r"(bytes / LINE)
                     : "ctr", "9", "memory");
    return bytes / 4;
}

static unsigned long lines(char *at, unsigned long bytes)
{
    unsigned long n = bytes / (2 * LINE);

    __asm__ volatile("mtctr %1\n"
                     "0: lwz 9,0(%0)\n"
                     "add 10,9,9\n"
                     "addi %0,%0,256\n"
                     "bdnz 0b"
                     : "+b"(at)
                     : "r"(n)
                     : "ctr", "9", "10", "memory");
    return n;
}

static unsigned long touched(char *at, unsigned long bytes)
{
    unsigned long n = bytes / (2 * LINE);

    __asm__ volatile("mtctr %1\n"
                     "0: dcbt %0,%2\n"
                     "lwz 9,0(%0)\n"
                     "add 10,9,9\n"
                     "addi %0,%0,256\n"
                     "bdnz 0b"
                     : "+b"(at)
                     : "r"(n), "r"(AHEAD)
                     : "ctr", "9", "10", "memory");
    return n;
}

static unsigned long code(char *at, unsigned long bytes)
{
    ((void (*)(void))at)();
    return bytes / 4;
}

static const struct {
    const char *name;
    loop loop;
} loops[] = { { "chase", chase }, { "words", words }, { "lines", lines }, { "touched", touched }, { "code", code } };

#define LOOPS (sizeof loops / sizeof *loops)

static void fill(char *at, unsigned long bytes, loop loop)
{
    unsigned int *words = (unsigned int *)at;
    unsigned long n;

    if (loop == code) {
        for (n = 0; n < bytes / 4; n++)
            words[n] = 0x60000000; /* nop */
        words[n - 1] = 0x4e800020; /* blr */
        return;
    }
    for (n = 0; n < bytes / LINE; n++)
        words[n * (LINE / 4)] = (unsigned long)at + (n + APART) % (bytes / LINE) * LINE;
}

int main(int argc, char **argv)
{
    unsigned long which = 0, laps = argc > 3 ? strtoul(argv[3], NULL, 0) : 1;
    unsigned long bytes = argc > 2 ? strtoul(argv[2], NULL, 0) : 0, loads = 0, n;
    unsigned long long begun = 0;
    char *at;

    while (argc > 1 && which < LOOPS && strcmp(argv[1], loops[which].name))
        which++;
    if (argc < 3 || which == LOOPS || bytes < 2 * LINE || bytes > BYTES_MAX || bytes / LINE % APART == 0 || laps < 1) {
        fprintf(stderr, "loads: give chase, words, lines, touched or code, then a number of bytes from %d to %u, whose "
                        "number of lines is no multiple of %d, and perhaps a number of laps\n",
                2 * LINE, BYTES_MAX, APART);
        return 2;
    }
    at = mmap(NULL, BYTES_MAX + AHEAD, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return 2;
    fill(at, bytes, loops[which].loop);
    for (n = 0; n <= laps; n++) {
        if (n == 1)
            begun = __builtin_ppc_get_timebase();
        loads = loops[which].loop(at, bytes);
    }
    printf("%lld ticks, %lu loads\n", __builtin_ppc_get_timebase() - begun, loads * laps);
    return 0;
}
