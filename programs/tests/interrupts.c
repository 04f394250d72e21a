/* Interrupts: the program works without a pause, and its decrementer interrupts it again and again.
 * Interrupts go to address 0, where the handler is.
 *
 * The program prints the number of interrupts and their greatest delay in ticks, whether any work was lost,
 * and the observations of a critical section in which interrupts are disabled.
 */
#include <spu_intrinsics.h>
#include <spu_mfcio.h>
#include <stdint.h>
#include <stdio.h>

#define INTERVAL_TICKS "200"
#define WANTED 5

/* Quadwords, so that the handler can store them without a mask. Their first words are the counts. */
volatile uint32_t interrupts[4] __attribute__((aligned(16)));
volatile uint32_t latest_ticks[4] __attribute__((aligned(16)));

/* The handler changes only registers that it saves itself. By the ABI, 2,000 bytes below the stack
 * pointer may be in use. The decrementer continues below zero after its event: its complement is the
 * delay. The handler acknowledges the event, sets the decrementer again, counts, and returns with
 * interrupts enabled. */
__asm__(".section .interrupt, \"ax\"\n"
        "    stqd $79, -2048($1)\n"
        "    stqd $78, -2064($1)\n"
        "    stqd $77, -2080($1)\n"
        "    rdch $79, $ch8\n"
        "    nor $79, $79, $79\n"
        "    lqa $78, latest_ticks\n"
        "    clgt $77, $79, $78\n"
        "    selb $78, $78, $79, $77\n"
        "    stqa $78, latest_ticks\n"
        "    rdch $79, $ch0\n"
        "    wrch $ch2, $79\n"
        "    il $79, " INTERVAL_TICKS "\n"
        "    wrch $ch7, $79\n"
        "    lqa $78, interrupts\n"
        "    ai $78, $78, 1\n"
        "    stqa $78, interrupts\n"
        "    lqd $79, -2048($1)\n"
        "    lqd $78, -2064($1)\n"
        "    lqd $77, -2080($1)\n"
        "    irete\n"
        ".text\n");

int main(void)
{
    uint32_t turns = 0, sum = 0, before, late, within;

    spu_writech(SPU_WrEventMask, MFC_DECREMENTER_EVENT);
    spu_writech(SPU_WrDec, 200);
    spu_ienable();
    while (interrupts[0] < WANTED) {
        turns++;
        sum += turns & 0xff;
    }
    spu_idisable();
    before = interrupts[0];
    late = latest_ticks[0];
    while (!(spu_readchcnt(SPU_RdEventStat)))
        ;
    within = interrupts[0];
    spu_ienable();
    while (interrupts[0] == within)
        ;
    spu_idisable();
    printf("%u interrupts, late by %u ticks at most\n", (unsigned)before, (unsigned)late);
    for (; turns > 0; turns--)
        sum -= turns & 0xff;
    printf("work lost: %u\n", (unsigned)sum);
    printf("while disabled: %u, afterwards: %u\n", (unsigned)(within - before), (unsigned)(interrupts[0] - within));
    return 0;
}
