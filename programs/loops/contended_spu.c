/* The SPE side of contended.c. */
#include <stddef.h>
#include <spu_intrinsics.h>

#include "contended.h"
#include "spe.h"

#define AT(member) (shared + offsetof(struct contended, member))

static vec_uint4 data[LARGE_BYTES / 16] __attribute__((aligned(LINE_BYTES)));
static unsigned int order[32] __attribute__((aligned(LINE_BYTES)));
static unsigned int report[4] __attribute__((aligned(16)));

static unsigned int one_more(unsigned int word)
{
    return word + 1;
}

/* Returns the old word. If this is the expected word, the new word has replaced it. */
static unsigned int compare_and_swap(ea_t ea, unsigned int expected, unsigned int new)
{
    unsigned int found;

    do {
        mfc_getllar(line, ea, 0, 0);
        mfc_read_atomic_status();
        found = line[0];
        if (found != expected)
            break;
        line[0] = new;
        mfc_putllc(line, ea, 0, 0);
    } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
    return found;
}

static void wait_for_any_tag(void)
{
    mfc_write_tag_mask(1u << TAG);
    mfc_read_tag_status_any();
}

static void get_and_put(ea_t ea)
{
    do {
        mfc_getllar(data, ea, 0, 0);
        mfc_read_atomic_status();
        mfc_putllc(data, ea, 0, 0);
    } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
}

int main(unsigned long long speid, unsigned long long shared, unsigned long long number)
{
    const ea_t own_line = AT(lines) + number * LINE_BYTES, own_block = AT(blocks) + number * LARGE_BYTES;
    const vec_uint4 one = spu_splats(1u);
    unsigned int n, begun, iterations;

    (void)speid;
    get_and_wait(order, AT(loop), LINE_BYTES);
    iterations = order[1];
    update(AT(ready), one_more);
    do
        get_and_wait(line, AT(start), LINE_BYTES);
    while (line[0] == 0);

    spu_write_decrementer(0xffffffff);
    begun = spu_read_decrementer();
    /* Each operation has a separate loop, because a few cycles decide which SPE is next. */
    switch (order[0]) {
    case INCREMENT:
        for (n = 0; n < iterations; n++)
            update(AT(word), one_more);
        break;
    case CHAIN:
        for (n = 0; n < iterations; n++)
            while (compare_and_swap(AT(word), number, number + 1) != number)
                ;
        break;
    case PUTLLC:
        for (n = 0; n < iterations; n++) {
            get_and_put(AT(word));
            data[n % 8] = spu_add(data[n % 8], one);
        }
        break;
    case PUTLLUC:
        for (n = 0; n < iterations; n++) {
            mfc_putlluc(data, AT(word), 0, 0);
            mfc_read_atomic_status();
            data[n % 8] = spu_add(data[n % 8], one);
        }
        break;
    case PUT:
        for (n = 0; n < iterations; n++) {
            mfc_put(&data[n % 6], own_line, 32, TAG, 0, 0);
            data[n % 8] = spu_add(data[n % 8], one);
            wait_for_any_tag();
        }
        break;
    case SHARED_PUT:
        for (n = 0; n < iterations; n++) {
            mfc_put(&data[n % 6], AT(word), 32, TAG, 0, 0);
            data[n % 8] = spu_add(data[n % 8], one);
        }
        break;
    case LARGE_PUT:
        for (n = 0; n < iterations; n++) {
            mfc_put(data, own_block, LARGE_BYTES, TAG, 0, 0);
            ((volatile unsigned char *)data)[n % LARGE_BYTES]++;
            wait_for_any_tag();
        }
        break;
    case SHARED_LARGE_PUT:
        for (n = 0; n < iterations; n++)
            mfc_put(data, AT(blocks), LARGE_BYTES, TAG, 0, 0);
        break;
    }
    wait_for_tag(TAG); /* so that the few iterations here take as long as the millions that were published */
    report[0] = begun - spu_read_decrementer();
    put_and_wait(report, AT(ticks) + number * LINE_BYTES, sizeof report);
    return 0;
}
