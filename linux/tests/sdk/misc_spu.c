/* The SPE's side of misc.c: limits and extremes, and copies between memory and the local store. */
#include <spu_mfcio.h>
#include <stdio.h>
#include <string.h>

#include "misc.h"

enum { MARGIN = 32, LARGEST = 20000, ROOM = LARGEST + 3 * MARGIN };

static unsigned char from[ROOM] __attribute__((aligned(128)));
static unsigned char seen[ROOM] __attribute__((aligned(128)));

/* Memory as DMA of whole quadwords shows it. */
static void look(uint64_t memory, unsigned int bytes)
{
    unsigned int at;

    for (at = 0; at < bytes; at += 128)
        mfc_get(seen + at, memory + at, 128, 9, 0, 0);
    mfc_write_tag_mask(1 << 9);
    mfc_read_tag_status_all();
}

/* Whether `to` has n bytes of `from` at its place, and `other` around it. */
static int only_there(const unsigned char *to, unsigned int place, const unsigned char *bytes, unsigned int n, int other)
{
    unsigned int at;

    for (at = 0; at < place; at++)
        CHECK(to[at] == other);
    CHECK(memcmp(to + place, bytes, n) == 0);
    for (at = place + n; at < place + n + MARGIN; at++)
        CHECK(to[at] == other);
    return 0;
}

static int copies(uint64_t memory, unsigned int local, unsigned int place, unsigned int n)
{
    unsigned int whole = (place + n + 2 * MARGIN) & ~127u;

    /* By copies that are aligned, which are the simplest case. */
    memset(seen, 0x55, ROOM);
    CHECK(copy_from_ls(memory, (uint32_t)seen, whole + 128) == whole + 128);
    mfc_write_tag_mask(1 << 3);
    CHECK(copy_from_ls(memory + place, (uint32_t)from + local, n) == n && mfc_read_tag_mask() == 1 << 3);
    look(memory, whole + 128);
    CHECK(only_there(seen, place, from + local, n, 0x55) == 0);
    memset(seen, 0xaa, ROOM);
    CHECK(copy_to_ls((uint32_t)seen + local, memory + place, n) == n);
    CHECK(only_there(seen, local, from + local, n, 0xaa) == 0);
    return 0;
}

static int all_copies(uint64_t memory)
{
    static const unsigned int sizes[] = {0, 1, 2, 7, 16, 31, 100};
    unsigned int local, place, n;

    for (n = 0; n < LARGEST + MARGIN; n++)
        from[n] = n * 7 + n / 256;
    for (place = 0; place < 16; place++)
        for (local = 0; local < 16; local += place % 4 ? 3 : 1)
            for (n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
                CHECK(copies(memory, local, place, sizes[n]) == 0);
    CHECK(copies(memory, 0, 0, LARGEST) == 0 && copies(memory, 5, 5, LARGEST) == 0);
    CHECK(copies(memory, 3, 12, LARGEST - 3) == 0);
    return 0;
}

int main(unsigned long long speid, unsigned long long argp)
{
    (void)speid;
    printf("SPE %d %d\n", limits_and_extremes(), all_copies(argp));
    return 0;
}
