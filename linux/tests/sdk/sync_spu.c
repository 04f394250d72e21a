/* The SPE side of sync.c. */
#include <spu_mfcio.h>

#include "sync.h"

static int quadword[4] __attribute__((aligned(16)));

static int get(eaddr_t ea)
{
    mfc_get(quadword, ea, sizeof quadword, 0, 0, 0);
    mfc_write_tag_mask(1);
    mfc_read_tag_status_all();
    return *(volatile int *)quadword;
}

static void put(eaddr_t ea, int value)
{
    *(volatile int *)quadword = value;
    mfc_put(quadword, ea, sizeof quadword, 0, 0, 0);
    mfc_write_tag_mask(1);
    mfc_read_tag_status_all();
}

int main(unsigned long long speid, unsigned long long shared)
{
    (void)speid;
    work(shared);
    return 0;
}
