/* Faults that end a program with a line of explanation. Tests select one by "which". */
#include <spu_mfcio.h>
#include <stdlib.h>

enum { INSTRUCTION, HALT, STOP, CHANNEL, DMA, FUNCTION, LIBRARY, FOREVER, ABORT };

volatile int which = INSTRUCTION;
volatile unsigned int unknown_function = 0xff000000;

int main(void)
{
    switch (which) {
    case INSTRUCTION:
        __asm__ volatile(".int 0x00800000");
        break;
    case HALT:
        spu_hcmpeq(which, HALT);
        break;
    case STOP:
        spu_stop(0x1234);
        break;
    case CHANNEL:
        spu_writech(99, 1);
        break;
    case DMA:
        mfc_get((void *)0x1001, 0, 16, 0, 0, 0);
        break;
    case FUNCTION:
        __asm__ volatile("stop 0x2100\n.int 0xff000000");
        break;
    case LIBRARY:
        __asm__ volatile("stop 0x2105\n.int 0x01000000");
        break;
    case FOREVER:
        for (;;)
            ;
    case ABORT:
        abort();
    }
    return 0;
}
