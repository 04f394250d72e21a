/* The SPE side of faults.c: causes one fault. */
#include "faults.h"
#include "spe.h"

static volatile char buffer[128] __attribute__((aligned(128)));

int main(unsigned long long speid, unsigned long long fault, unsigned long long ea)
{
    (void)speid;
    switch (fault) {
    case HALT:
        spu_hcmpeq((int)fault, HALT);
        break;
    case INSTRUCTION:
        __asm__ volatile(".int 0x00800000");
        break;
    case MISALIGNED_DMA:
        /* The alignments of the two addresses differ. */
        put_and_wait(buffer + 1, ea, 16);
        break;
    case DMA:
        put_and_wait(buffer, ea, 128);
        break;
    case INVALID_COMMAND:
        /* Opcode 0 is not a command. */
        spu_mfcdma32(buffer, (unsigned int)ea, 128, TAG, 0);
        wait_for_tag(TAG);
        break;
    }
    return 0;
}
