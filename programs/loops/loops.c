/* Loops of which papers say how fast they are. Who runs it puts into the local store which loop (kind) and how
 * often (turns); two runs of different lengths tell what a turn takes.
 */
#include <spu_intrinsics.h>
#include <spu_mfcio.h>
#include <stdint.h>

enum { SINGLE, DOUBLE, COMMANDS, COMMANDS_UNROLLED, LOADS, LOADS_UNROLLED };
enum { LINE_BYTES = 128, QUADWORDS = 1024, MEMORY_EA = 0x1000000 };

volatile uint32_t kind = SINGLE, turns = 1;

static qword words[QUADWORDS] __attribute__((aligned(128)));
static volatile vec_float4 single_result;
static volatile vec_double2 double_result;
static volatile qword load_result;

/* Several of the same, each with a number; of 64, four have the same one. */
#define EIGHT(do_it, n) \
    do_it(n) do_it((n) + 1) do_it((n) + 2) do_it((n) + 3) do_it((n) + 4) do_it((n) + 5) do_it((n) + 6) do_it((n) + 7)
#define SIXTEEN(do_it) EIGHT(do_it, 0) EIGHT(do_it, 8)
#define SIXTY_FOUR(do_it) SIXTEEN(do_it) SIXTEEN(do_it) SIXTEEN(do_it) SIXTEEN(do_it)
#define THIRTY_TWO(do_it) SIXTEEN(do_it) EIGHT(do_it, 16) EIGHT(do_it, 24)

/* Sixteen sums that do not wait for each other: 128 multiply-adds a turn. */
static void single(uint32_t left)
{
    vec_float4 sums[16] = {{0}}, factor = spu_splats(0.5f);

    do {
#define ADD(n) sums[(n)] = spu_madd(factor, factor, sums[(n)]);
        SIXTY_FOUR(ADD) SIXTY_FOUR(ADD)
    } while (--left);
#define KEEP(n) single_result = sums[(n)];
    SIXTEEN(KEEP)
}

/* As single, in double precision. */
static void twice(uint32_t left)
{
    vec_double2 sums[16] = {{0}}, factor = spu_splats(0.5);

    do {
        SIXTY_FOUR(ADD) SIXTY_FOUR(ADD)
    } while (--left);
#undef KEEP
#define KEEP(n) double_result = sums[(n)];
    SIXTEEN(KEEP)
}

static void get(uint32_t nth)
{
    mfc_get((char *)words + nth % 32 * LINE_BYTES, MEMORY_EA + nth % 32 * LINE_BYTES, LINE_BYTES, 0, 0, 0);
}

/* 32 gets of a line each a turn, one by one or without a branch between them. */
static void commands(uint32_t left)
{
    uint32_t nth;

    do {
#pragma GCC unroll 1
        for (nth = 0; nth < 32; nth++)
            get(nth);
    } while (--left);
}

static void commands_unrolled(uint32_t left)
{
    do {
#define GET(n) get(n);
        THIRTY_TWO(GET)
    } while (--left);
}

/* 32 loads of 16 bytes a turn, one by one or without a branch between them. */
static void loads(uint32_t left)
{
    qword sum = (qword)spu_splats(0u);
    uint32_t nth;

    do {
#pragma GCC unroll 1
        for (nth = 0; nth < 32; nth++)
            sum = si_xor(sum, ((volatile qword *)words)[nth]);
    } while (--left);
    load_result = sum;
}

static void loads_unrolled(uint32_t left)
{
    qword sum = (qword)spu_splats(0u);

    do {
#define LOAD(n) sum = si_xor(sum, ((volatile qword *)words)[(n)]);
        THIRTY_TWO(LOAD)
    } while (--left);
    load_result = sum;
}

int main(void)
{
    static void (*const loops[])(uint32_t) = {single, twice, commands, commands_unrolled, loads, loads_unrolled};

    loops[kind](turns);
    mfc_write_tag_mask(1);
    mfc_read_tag_status_all();
    return 0;
}
