/* Ping-pong through an atomic line: two SPEs add 1 in turn to a word at 0x100000.
 *
 *     cellstats spu programs/samples/pingpong.elf -n 2
 *
 * SPE 0 increments even numbers; SPE 1 increments odd numbers. The waiting SPE polls the line with getllar.
 * The SPE's atomic cache serves the polls until the partner has written. The reservation ensures that the
 * putllc only replaces the value that was read. The exit status is 1 if an increment was lost.
 */
#include <spu_mfcio.h>
#include <stdint.h>
#include <stdio.h>

#define LINE_EA 0x100000ull
#define ROUNDS 1000

static volatile uint32_t line[32] __attribute__((aligned(128)));

static void take_turn(uint32_t turn)
{
    do {
        do {
            mfc_getllar(line, LINE_EA, 0, 0);
            mfc_read_atomic_status();
        } while (line[0] != turn);
        line[0] = turn + 1;
        mfc_putllc(line, LINE_EA, 0, 0);
    } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
}

int main(uint64_t speid, uint64_t rank, uint64_t spes)
{
    uint32_t round, ticks;

    (void)speid;
    if (spes != 2) {
        if (rank == 0)
            printf("ping-pong takes 2 SPEs, not %d; give -n 2\n", (int)spes);
        return 2;
    }
    spu_write_decrementer(UINT32_MAX);
    for (round = 0; round < ROUNDS; round++)
        take_turn(2 * round + rank);
    ticks = UINT32_MAX - spu_read_decrementer();
    if (rank == 0)
        printf("%d rounds in %u ticks\n", ROUNDS, ticks);
    /* SPE 1 has the last turn. */
    return rank == 1 && line[0] != 2 * ROUNDS;
}
