/* Loops of the PPE whose speed cellmark (2026) publishes for a PlayStation 3.
 *
 *     cellstats run programs/loops/ppe_loops.elf LOOP [TURNS]
 *
 * Prints a line `NAME OPERATIONS TICKS` for each measured quantity, with the duration in time-base ticks. LOOP is
 *
 *     vmx-fma          48 vmaddfp in 6 chains; operations: vmaddfp, of 8 flops each
 *     fmadd, add       64 fmadd, or 64 add, in 8 chains; operations: these, and a fmadd has 2 flops
 *     two-fmadd        fmadd in two threads; the duration is from the first start to the last end
 *     mixed            fmadd in one thread, and 5/8 as many turns of add in another, each with its own duration
 *     l1-read, l2-read            lvx over 28 or 400 KB; for 400 KB with dcbt; operations: bytes
 *     l1-read-old, l2-read-old    the same with two instructions for the address of each lvx, without dcbt
 *     l1-chase, l2-chase          each lwz gives the address of the next one, over 14 or 128 KB; operations: lwz
 *     l1-index, l2-index          each lwz gives the index of the next one, over 14 or 256 KB; operations: lwz
 *
 * TURNS counts turns of the loop if it has no data, and laps over the data otherwise. One turn before the measured ones
 * brings data and code into the caches.
 *
 * The instructions are those of cellmark's listings, in assembly, so that no compiler changes them
 * (docs/ppe_tuning.md, 4 and 5, and docs/cell_tuning.md, 1.1 to 1.3). What they leave open is said at each loop.
 *
 * Exit status: 0, or 2 if the arguments are wrong.
 */
#include <pthread.h>

#include "../../linux/programs/check.h"

#define KB 1024u
#define LINE 128
#define TURNS_MAX 60000
/* cellmark's fmadd has 2048 Ki turns beside 1280 Ki turns of add: at the end, fmadd runs alone. */
#define MIXED_ADD(turns) (((turns) * 5ull + 7) / 8)

/* clrldi and extsw are 64-bit instructions, which the PPE also executes in 32-bit programs. */
#define CELL(text) ".machine push\n.machine cell\n" text "\n.machine pop"

/* Which instructions issue together depends on where they lie. A loop begins at the same word of a line as in the
 * listing, or at the first word if no listing says it. */
#define AT_WORD(word)                                                                  \
    ".balign 128\n"                                                                    \
    ".rept " #word "\n"                                                                \
    "nop\n"                                                                            \
    ".endr\n"

static char data[400 * KB] __attribute__((aligned(LINE)));

/* Listing 4.1. */
static void vmx_fma(unsigned long turns, unsigned long vmaddfp)
{
    (void)vmaddfp;
    __asm__ volatile(CELL("vspltisw 9,1\n"
                          "vcfux 8,9,1\n" /* 0.5 */
                          "vcfux 9,9,0\n" /* 1.0 */
                          ".irp chain, 0, 1, 13, 12, 11, 10\n"
                          "vor \\chain,9,9\n"
                          ".endr\n"
                          "mtctr %0\n"
                          AT_WORD(28) "0:\n"
                          ".rept 8\n"
                          ".irp chain, 0, 1, 13, 12, 11, 10\n"
                          "vmaddfp \\chain,\\chain,8,9\n"
                          ".endr\n"
                          ".endr\n"
                          "bdnz+ 0b")
                     :
                     : "r"(turns)
                     : "ctr");
}

/* cellmark prints no listing of fmadd and add. GCC 4.1 counts such loops by bdnz, and does not unroll loops of more
 * than 40 instructions (max-average-unrolled-insns is 80). */
static void fmadd(unsigned long turns, unsigned long fmadds)
{
    double a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1;

    (void)fmadds;
    __asm__ volatile("mtctr %10\n"
                     AT_WORD(0) "0:\n"
                     ".rept 8\n"
                     ".irp chain, %0, %1, %2, %3, %4, %5, %6, %7\n"
                     "fmadd \\chain,\\chain,%8,%9\n"
                     ".endr\n"
                     ".endr\n"
                     "bdnz+ 0b"
                     : "+&d"(a), "+&d"(b), "+&d"(c), "+&d"(d), "+&d"(e), "+&d"(f), "+&d"(g), "+&d"(h)
                     : "d"(0.5), "d"(1.0), "r"(turns)
                     : "ctr");
}

/* What is in the registers does not matter. */
static void add(unsigned long turns, unsigned long adds)
{
    (void)adds;
    __asm__ volatile("mtctr %0\n"
                     AT_WORD(0) "0:\n"
                     ".rept 8\n"
                     "add 4,4,14\n"
                     "add 5,5,15\n"
                     "add 6,6,16\n"
                     "add 7,7,17\n"
                     "add 8,8,18\n"
                     "add 9,9,19\n"
                     "add 10,10,20\n"
                     "add 11,11,21\n"
                     ".endr\n"
                     "bdnz+ 0b"
                     :
                     : "r"(turns)
                     : "ctr", "4", "5", "6", "7", "8", "9", "10", "11");
}

/* Reads all data in each lap. The source has the additions in this order, after all loads of 128 bytes. The compiler's
 * order is not published, nor whether it unrolled the loop. The loop begins two words after the word `before`. */
#define LAPS(before, lap)                                                              \
    CELL(".irp sum, 0, 1, 2, 3\n"                                                      \
         "vxor \\sum,\\sum,\\sum\n"                                                    \
         ".endr\n"                                                                     \
         "mr 3,%0\n" AT_WORD(before) "2:\n"                                            \
         "mr 6,%1\n"                                                                   \
         "mtctr %2\n"                                                                  \
         "0:\n" lap                                                                    \
         "vaddfp 0,0,4\n"                                                              \
         "vaddfp 1,1,5\n"                                                              \
         "vaddfp 2,2,6\n"                                                              \
         "vaddfp 3,3,7\n"                                                              \
         "vaddfp 0,0,8\n"                                                              \
         "vaddfp 1,1,9\n"                                                              \
         "vaddfp 2,2,10\n"                                                             \
         "vaddfp 3,3,11\n"                                                             \
         "addi 6,6,128\n"                                                              \
         "bdnz+ 0b\n"                                                                  \
         "addi 3,3,-1\n"                                                               \
         "cmpwi 3,0\n"                                                                 \
         "bne+ 2b")
#define OPERANDS(laps, bytes) "r"(laps), "r"(data), "r"((bytes) / LINE)
#define CHANGED "ctr", "cr0", "cr7", "3", "6", "7", "8", "9", "10", "11", "memory"

/* Section 5.2, where "the base pointer is zero-extended once per outer iteration". This is taken to be once per 128
 * bytes, as in the listing of 5.1. */
#define READ(prefetch)                                                                 \
    LAPS(30, "clrldi 7,6,32\n" prefetch                                                \
             "lvx 4,0,7\n"                                                             \
             "lvx 5,%3,7\n"                                                            \
             "lvx 6,%4,7\n"                                                            \
             "lvx 7,%5,7\n"                                                            \
             "lvx 8,%6,7\n"                                                            \
             "lvx 9,%7,7\n"                                                            \
             "lvx 10,%8,7\n"                                                           \
             "lvx 11,%9,7\n")
#define OFFSETS "b"(16), "b"(32), "b"(48), "b"(64), "b"(80), "b"(96), "b"(112)

static void read_l1(unsigned long laps, unsigned long bytes)
{
    __asm__ volatile(READ("") : : OPERANDS(laps, bytes), OFFSETS : CHANGED);
}

/* The source touches the line 512 bytes ahead unless that is beyond the end. */
static void read_l2(unsigned long laps, unsigned long bytes)
{
    __asm__ volatile(READ("cmplw 7,6,%10\n"
                          "bge- 7,1f\n"
                          "addi 8,7,512\n"
                          "dcbt 0,8\n"
                          "1:\n")
                     :
                     : OPERANDS(laps, bytes), OFFSETS, "r"(data + bytes - 512)
                     : CHANGED);
}

/* Listing 4.2 shows the first eleven instructions of about 32, of which two are left out. These are taken to be the
 * load from r7 and an address of the second half. The second half is not shown; it is taken to be like the first. */
static void read_old(unsigned long laps, unsigned long bytes)
{
    __asm__ volatile(LAPS(13, "addi 9,6,16\n"
                              "addi 11,6,32\n"
                              "addi 10,6,48\n"
                              "clrldi 9,9,32\n"
                              "clrldi 11,11,32\n"
                              "clrldi 10,10,32\n"
                              "clrldi 7,6,32\n"
                              "lvx 4,0,7\n"
                              "lvx 5,0,9\n"
                              "addi 8,6,64\n"
                              "lvx 6,0,11\n"
                              "addi 9,6,80\n"
                              "lvx 7,0,10\n"
                              "addi 11,6,96\n"
                              "addi 10,6,112\n"
                              "clrldi 8,8,32\n"
                              "clrldi 9,9,32\n"
                              "clrldi 11,11,32\n"
                              "clrldi 10,10,32\n"
                              "lvx 8,0,8\n"
                              "lvx 9,0,9\n"
                              "lvx 10,0,11\n"
                              "lvx 11,0,10\n")
                     :
                     : OPERANDS(laps, bytes)
                     : CHANGED);
}

/* Puts all entries into one cycle (Sattolo), by cellmark's random numbers. An entry is a word, which is the index of
 * the next entry or its address. */
static void link(unsigned long entries, int addresses)
{
    unsigned int random = 0xdeadbeef;
    unsigned long n;

#define ENTRY(n) (((unsigned long *)data)[n])
    for (n = 0; n < entries; n++)
        ENTRY(n) = addresses ? (unsigned long)&ENTRY(n) : n;
    while (--n > 0) {
        unsigned long *other, kept = ENTRY(n);

        random = random * 1664525 + 1013904223;
        other = &ENTRY(random % n);
        ENTRY(n) = *other;
        *other = kept;
    }
}

/* Listing 5.1. The text has entries of 8 bytes, hence 28 and 256 KB. Yet on a big-endian machine, lwz with the offset 0
 * gives the address only if an entry has 4 bytes, hence 14 and 128 KB. */
static void chase(unsigned long laps, unsigned long entries)
{
    __asm__ volatile(CELL("mr 9,%0\n"
                          "mtctr %1\n"
                          AT_WORD(8) "0:\n"
                          "clrldi 11,9,32\n"
                          "lwz 10,0(11)\n"
                          "lwz 9,0(10)\n"
                          "lwz 6,0(9)\n"
                          "lwz 5,0(6)\n"
                          "lwz 4,0(5)\n"
                          "lwz 12,0(4)\n"
                          "lwz 11,0(12)\n"
                          "lwz 9,0(11)\n"
                          "bdnz+ 0b")
                     :
                     : "r"(data), "r"(laps * entries / 8)
                     : "ctr", "4", "5", "6", "9", "10", "11", "12", "memory");
}

/* Listing 4.3. The source of that time has 3584 and 65536 entries of 4 bytes. */
static void chase_indexes(unsigned long laps, unsigned long entries)
{
    __asm__ volatile(CELL("li 9,0\n"
                          "addi 0,%0,20480\n"
                          "mtctr %1\n"
                          AT_WORD(3) "0:\n"
                          "rlwinm 9,9,2,0,29\n"
                          "extsw 9,9\n"
                          "add 9,9,0\n"
                          "lwz 9,-20480(9)\n"
                          "bdnz+ 0b")
                     :
                     : "b"(data), "r"(laps * entries)
                     : "ctr", "0", "9", "memory");
}

static const struct loop {
    const char *name;
    void (*run)(unsigned long turns, unsigned long operations);
    unsigned long operations; /* in a turn: instructions, bytes or entries */
    unsigned long turns;      /* unless the user gives another number */
} loops[] = {
    { "fmadd", fmadd, 64, 20000 },
    { "add", add, 64, 20000 },
    { "two-fmadd", fmadd, 64, 20000 },
    { "mixed", fmadd, 64, 20000 },
    { "vmx-fma", vmx_fma, 48, 20000 },
    { "l1-read", read_l1, 28 * KB, 100 },
    { "l2-read", read_l2, sizeof data, 10 },
    { "l1-read-old", read_old, 28 * KB, 100 },
    { "l2-read-old", read_old, sizeof data, 10 },
    { "l1-chase", chase, 3584, 100 },
    { "l2-chase", chase, 32768, 8 },
    { "l1-index", chase_indexes, 3584, 100 },
    { "l2-index", chase_indexes, 65536, 4 },
};

#define LOOPS (sizeof loops / sizeof *loops)
#define FMADD (&loops[0])
#define ADD (&loops[1])
#define TWO_FMADD (&loops[2])
#define MIXED (&loops[3])

struct measured {
    const struct loop *loop;
    unsigned long turns;
    unsigned long long begun, ended;
};

static volatile int ready, start;

static void measure(struct measured *m)
{
    m->begun = __builtin_ppc_get_timebase();
    m->loop->run(m->turns, m->loop->operations);
    m->ended = __builtin_ppc_get_timebase();
}

static void *measure_in_thread(void *closure)
{
    ready = 1;
    while (!start)
        ;
    measure(closure);
    return NULL;
}

/* Measures two loops in two threads. Both start at once: cellmark's second thread polls every 50 us for its start, and
 * sleeps again when its loop has ended. */
static void measure_both(struct measured *mine, struct measured *other)
{
    pthread_t thread;

    CHECK(pthread_create(&thread, NULL, measure_in_thread, other) == 0);
    while (!ready)
        ;
    start = 1;
    measure(mine);
    CHECK(pthread_join(thread, NULL) == 0);
}

static void print(const char *name, unsigned long long turns, const struct loop *loop, unsigned long long ticks)
{
    printf("%s %llu %llu\n", name, turns * loop->operations, ticks);
}

int main(int argc, char **argv)
{
    const struct loop *loop = loops;
    struct measured mine = { 0 }, other = { 0 };
    char *end = "";
    unsigned long turns, n;

    while (argc > 1 && loop < loops + LOOPS && strcmp(argv[1], loop->name))
        loop++;
    turns = argc > 2 ? strtoul(argv[2], &end, 10) : loop < loops + LOOPS ? loop->turns : 0;
    if (argc < 2 || argc > 3 || loop == loops + LOOPS || *end || turns < 1 || turns > TURNS_MAX) {
        fprintf(stderr, "ppe_loops: give one of");
        for (n = 0; n < LOOPS; n++)
            fprintf(stderr, " %s", loops[n].name);
        fprintf(stderr, ", and perhaps a number of turns from 1 to %d\n", TURNS_MAX);
        return 2;
    }
    for (n = 0; n < sizeof data / sizeof(float); n++)
        ((float *)data)[n] = 1;
    if (loop->run == chase || loop->run == chase_indexes)
        link(loop->operations, loop->run == chase);
    loop->run(1, loop->operations);
    mine.loop = loop;
    mine.turns = turns;
    if (loop == TWO_FMADD) {
        other = mine;
        measure_both(&mine, &other);
        if (other.begun < mine.begun)
            mine.begun = other.begun;
        if (other.ended > mine.ended)
            mine.ended = other.ended;
        mine.turns *= 2;
    } else if (loop == MIXED) {
        ADD->run(1, ADD->operations);
        other.loop = ADD;
        other.turns = MIXED_ADD(turns);
        measure_both(&mine, &other);
        print("fmadd", mine.turns, FMADD, mine.ended - mine.begun);
        print("add", other.turns, ADD, other.ended - other.begun);
        return 0;
    } else {
        measure(&mine);
    }
    print(loop->name, mine.turns, loop, mine.ended - mine.begun);
    return 0;
}
