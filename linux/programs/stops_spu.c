/* The SPE side of stops.c: values in variables show whether the registers are the same after each stop. */
#include <spu_intrinsics.h>

#include "stops.h"

static volatile unsigned int arguments[8] __attribute__((aligned(16)));

/* Calls the PPE with a stop, whose code selects the handler, and a word with the function and the
 * arguments' address. The assembler cannot form that word, so the program stores it into the code. */
static void call(void)
{
    extern volatile unsigned int call_word[];

    call_word[0] = (unsigned int)FUNCTION << 24 | (unsigned int)arguments;
    spu_sync();
    __asm__ volatile("stop 0x2155\n"
                     ".globl call_word\n"
                     "call_word: .int 0"
                     :
                     :
                     : "memory");
}

int main(unsigned long long speid, unsigned long long first, unsigned long long second)
{
    unsigned long long kept = first;

    (void)speid;
    spu_stop(1);
    kept += 1;
    spu_stop(0x123);
    kept += 2;
    spu_stop(0x1fff);
    if (kept != FIRST + 3 || second != SECOND)
        return 1;
    arguments[0] = (unsigned int)first;
    arguments[4] = (unsigned int)second;
    call();
    /* The status 43 means that no handler has added the arguments. */
    return arguments[0] == FIRST + SECOND ? 42 : arguments[0] == FIRST ? 43 : 2;
}
