/* A word in a lock line that two SPEs change in turn: each waits until the word's parity is its own, and adds 1. The
 * runner stores parity and turns in the local store.
 */
#include <spu_mfcio.h>
#include <stdint.h>

enum { LINE_BYTES = 128, LINE_EA = 0x1000000 };

volatile uint32_t parity = 0, turns = 1;

static volatile uint32_t line[LINE_BYTES / 4] __attribute__((aligned(LINE_BYTES)));

int main(void)
{
    uint32_t mine = parity, left = turns, word;

    while (left) {
        mfc_getllar(line, LINE_EA, 0, 0);
        mfc_read_atomic_status();
        word = line[0];
        if (word % 2 != mine)
            continue;
        line[0] = word + 1;
        mfc_putllc(line, LINE_EA, 0, 0);
        if (!(mfc_read_atomic_status() & MFC_PUTLLC_STATUS))
            left--;
    }
    return 0;
}
