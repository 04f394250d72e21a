/* The SPE side of neighbours.c. In each round it puts a slot into the local store of the next context, signals that
 * context, and checks the slot that the previous context has put into this local store.
 *
 *     spu-elf-gcc -O2 -nostdlib -ffreestanding -Wl,-Ttext=0 -Wl,-e,0 -o neighbours_spu neighbours_spu.c
 *     spu-elf-objcopy -O binary -j .text neighbours_spu neighbours_spu.bin
 *
 * The words of the second file are in neighbours_spu.h.
 */
#include <spu_intrinsics.h>
#include <spu_mfcio.h>

#include "neighbours.h"

void _start(void) __attribute__((section(".text"), noreturn));

void _start(void)
{
    volatile struct control *control = (volatile struct control *)CONTROL;
    volatile unsigned int *out = (volatile unsigned int *)OUT;
    volatile unsigned int *signal = (volatile unsigned int *)(SIGNAL + 12);
    unsigned int round, latest = 0, n;

    for (round = 1; round <= ROUNDS; round++) {
        unsigned int slot = SLOTS + round % SLOT_COUNT * SLOT_BYTES;
        volatile unsigned int *in = (volatile unsigned int *)slot;

        for (n = 0; n < SLOT_BYTES / 4; n++)
            out[n] = VALUE(control->own, round, n);
        *signal = round;
        spu_mfcdma32(out, control->next_local_store + slot, SLOT_BYTES, 0, MFC_PUT_CMD);
        spu_mfcdma32(signal, control->next_signal, 4, 0, MFC_SNDSIGF_CMD);
        spu_writech(MFC_WrTagMask, 1);
        spu_mfcstat(MFC_TAG_UPDATE_ALL);
        while (latest < round)
            latest = spu_readch(SPU_RdSigNotify1);
        for (n = 0; n < SLOT_BYTES / 4; n++)
            control->wrong += in[n] != VALUE(control->previous, round, n);
        control->rounds = round;
    }
    for (;;)
        spu_stop(STOP);
}
