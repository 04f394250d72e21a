/* A barrier with sndsig among the SPEs, a thousand times.
 *
 *     cellstats spu programs/samples/barrier.elf -n 8 --machine eval-board
 *
 * The SPEs form a binary tree: the children of i are 2i + 1 and 2i + 2. A left child signals its parent's
 * register 1, and a right child signals register 2. A node whose children have arrived signals its parent. The
 * root then releases all SPEs down the tree, through register 1. Every register is read before it is
 * signalled again, since a second signal would replace the first signal.
 *
 * Before each barrier, an SPE writes the number of the phase into its line of a table at 0x100000. After the
 * barrier, no SPE may be in an earlier phase. Exit status 1: an SPE was in an earlier phase.
 */
#include <spu_mfcio.h>
#include <stdint.h>
#include <stdio.h>

#include "spe_map.h"

#define TABLE_EA 0x100000ull
#define LINE_BYTES 128
#define SPES_MAX 16
#define PHASES 1000
#define TAG 0

static volatile uint32_t table[SPES_MAX][LINE_BYTES / 4] __attribute__((aligned(LINE_BYTES)));
static volatile uint32_t own[4] __attribute__((aligned(16)));
/* The word's offset in its quadword is the same as that of the signal registers. */
static volatile uint32_t signal_word[4] __attribute__((aligned(16))) = {0, 0, 0, 1};
static uint64_t windows[SPES_MAX];
static uint32_t rank, spes;

static void wait(void)
{
    mfc_write_tag_mask(1 << TAG);
    mfc_read_tag_status_all();
}

static void read_table(void)
{
    mfc_get(table, TABLE_EA, spes * LINE_BYTES, TAG, 0, 0);
    wait();
}

/* The fence keeps a signal from overtaking the data before it. */
static void send(uint32_t to, uint32_t signal_register)
{
    mfc_sndsigf(&signal_word[3], windows[to] + signal_register, TAG, 0, 0);
}

static void barrier(void)
{
    uint32_t left = 2 * rank + 1, right = 2 * rank + 2;

    if (left < spes)
        spu_read_signal1();
    if (right < spes)
        spu_read_signal2();
    if (rank > 0) {
        send((rank - 1) / 2, rank % 2 ? SPU_SIG_NOTIFY_1 : SPU_SIG_NOTIFY_2);
        spu_read_signal1();
    }
    if (left < spes)
        send(left, SPU_SIG_NOTIFY_1);
    if (right < spes)
        send(right, SPU_SIG_NOTIFY_1);
}

/* Reads all windows from the table. Word 1 of a line is the SPE's number plus one. */
static void meet(uint64_t speid)
{
    uint32_t i;

    own[1] = speid + 1;
    mfc_put(own, TABLE_EA + rank * LINE_BYTES, sizeof own, TAG, 0, 0);
    wait();
    for (i = 0; i < spes; i++) {
        do
            read_table();
        while (table[i][1] == 0);
        windows[i] = spe_window_ea(table[i][1] - 1);
    }
}

/* Whether all SPEs have reached the phase, and none is more than one phase ahead. */
static int is_right(uint32_t phase)
{
    uint32_t i;

    read_table();
    for (i = 0; i < spes; i++)
        if (table[i][0] - phase > 1)
            return 0;
    return 1;
}

int main(uint64_t speid, uint64_t own_rank, uint64_t count)
{
    uint32_t phase, ticks;

    rank = own_rank;
    spes = count;
    meet(speid);
    for (phase = 1; phase <= PHASES; phase++) {
        own[0] = phase;
        mfc_put(own, TABLE_EA + rank * LINE_BYTES, sizeof own, TAG, 0, 0);
        wait();
        barrier();
        if (!is_right(phase)) {
            printf("SPE %u: somebody is not in phase %u\n", rank, phase);
            return 1;
        }
    }
    spu_write_decrementer(UINT32_MAX);
    for (phase = 0; phase < PHASES; phase++)
        barrier();
    ticks = UINT32_MAX - spu_read_decrementer();
    if (rank == 0)
        printf("%d barriers of %u SPEs in %u ticks\n", PHASES, spes, ticks);
    return 0;
}
