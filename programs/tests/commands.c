/* The MFC's commands, used through spu_mfcio.h: their effects on memory, local store and channels. Prints
 * each wrong result. The exit status is the number of wrong results.
 */
#include <spu_intrinsics.h>
#include <spu_mfcio.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_BYTES = 16384, LINE_BYTES = 128, ELEMENT_BYTES = 512, ELEMENTS = 8, STALLS_AFTER = 3 };

static char source[CHUNK_BYTES] __attribute__((aligned(128)));
static char target[CHUNK_BYTES] __attribute__((aligned(128)));
static volatile char line[LINE_BYTES] __attribute__((aligned(128)));
static mfc_list_element_t list[ELEMENTS] __attribute__((aligned(8)));
static int wrong;

#define CHECK(condition) check(condition, #condition)

static void check(int holds, const char *what)
{
    if (!holds) {
        printf("not so: %s\n", what);
        wrong++;
    }
}

static void wait_for(uint32_t tag)
{
    mfc_write_tag_mask(1 << tag);
    mfc_read_tag_status_all();
}

/* A get that its barrier or fence delays until an earlier put of the same tag group has completed. */
static void transfers(uint64_t ea, uint32_t tag)
{
    memset(target, 0, CHUNK_BYTES);
    mfc_put(source, ea, CHUNK_BYTES, tag, 0, 0);
    mfc_getb(target, ea, CHUNK_BYTES, tag, 0, 0);
    wait_for(tag);
    CHECK(memcmp(target, source, CHUNK_BYTES) == 0);

    /* Bytes 5 to 15 of a quadword, in transfers of the sizes below 16. */
    memset(target, 0, 16);
    mfc_putf(target, ea, 16, tag, 0, 0);
    mfc_putb(source + 5, ea + 5, 1, tag, 0, 0);
    mfc_put(source + 6, ea + 6, 2, tag, 0, 0);
    mfc_put(source + 8, ea + 8, 8, tag, 0, 0);
    mfc_getf(target, ea, 16, tag, 0, 0);
    mfc_write_tag_mask(1 << tag);
    CHECK(mfc_read_tag_status_any() == 1u << tag);
    CHECK(target[4] == 0 && memcmp(target + 5, source + 5, 11) == 0);
}

/* A list that fetches its elements in reverse order and stalls after one. Later elements can still be changed. */
static void lists(uint64_t ea, uint32_t tag)
{
    uint32_t i;

    mfc_put(source, ea, CHUNK_BYTES, tag, 0, 0);
    wait_for(tag);
    memset(target, 0, CHUNK_BYTES);
    for (i = 0; i < ELEMENTS; i++) {
        list[i].notify = i == STALLS_AFTER;
        list[i].size = ELEMENT_BYTES;
        list[i].eal = mfc_ea2l(ea) + (ELEMENTS - 1 - i) * ELEMENT_BYTES;
    }
    mfc_getl(target, ea, list, sizeof list, tag, 0, 0);
    CHECK(mfc_read_list_stall_status() == 1u << tag);
    for (i = 0; i <= STALLS_AFTER; i++)
        CHECK(memcmp(target + i * ELEMENT_BYTES, source + (ELEMENTS - 1 - i) * ELEMENT_BYTES, ELEMENT_BYTES) == 0);
    for (i = 0; i < ELEMENT_BYTES; i++)
        CHECK(target[(STALLS_AFTER + 1) * ELEMENT_BYTES + i] == 0);
    list[STALLS_AFTER + 1].eal = mfc_ea2l(ea) + ELEMENTS * ELEMENT_BYTES;
    mfc_write_list_stall_ack(tag);
    wait_for(tag);
    CHECK(memcmp(target + (STALLS_AFTER + 1) * ELEMENT_BYTES, source + ELEMENTS * ELEMENT_BYTES, ELEMENT_BYTES) == 0);
    CHECK(memcmp(target + (ELEMENTS - 1) * ELEMENT_BYTES, source, ELEMENT_BYTES) == 0);
}

/* The event of a tag group's completion. An earlier event is still pending, although it was not enabled. */
static void events(uint64_t ea, uint32_t tag)
{
    spu_write_event_mask(MFC_TAG_STATUS_UPDATE_EVENT);
    CHECK(spu_stat_event_status() == 1);
    CHECK(spu_read_event_status() == MFC_TAG_STATUS_UPDATE_EVENT);
    spu_write_event_ack(MFC_TAG_STATUS_UPDATE_EVENT);
    CHECK(spu_stat_event_status() == 0);
    mfc_get(target, ea, CHUNK_BYTES, tag, 0, 0);
    mfc_write_tag_mask(1 << tag);
    mfc_write_tag_update(MFC_TAG_UPDATE_ALL);
    CHECK(spu_read_event_status() == MFC_TAG_STATUS_UPDATE_EVENT);
    spu_write_event_ack(MFC_TAG_STATUS_UPDATE_EVENT);
    CHECK(mfc_stat_tag_status() == 1 && mfc_read_tag_status() == 1u << tag);
    spu_write_event_mask(0);
}

/* The lock-line commands: a lost reservation, a valid reservation, and stores without a reservation. */
static void lock_lines(uint64_t ea, uint32_t tag)
{
    mfc_getllar(line, ea, 0, 0);
    CHECK(mfc_read_atomic_status() == MFC_GETLLAR_STATUS);
    mfc_put(source, ea, LINE_BYTES, tag, 0, 0);
    wait_for(tag);
    mfc_putllc(line, ea, 0, 0);
    CHECK(mfc_read_atomic_status() & MFC_PUTLLC_STATUS);

    mfc_getllar(line, ea, 0, 0);
    mfc_read_atomic_status();
    CHECK(memcmp((const char *)line, source, LINE_BYTES) == 0);
    line[0] = 99;
    mfc_putllc(line, ea, 0, 0);
    CHECK(mfc_read_atomic_status() == 0);
    mfc_putlluc(line, ea + LINE_BYTES, 0, 0);
    CHECK(mfc_read_atomic_status() == MFC_PUTLLUC_STATUS);
    mfc_putqlluc(line, ea + 2 * LINE_BYTES, tag, 0, 0);
    wait_for(tag);
    mfc_get(target, ea, 3 * LINE_BYTES, tag, 0, 0);
    wait_for(tag);
    CHECK(target[0] == 99 && target[LINE_BYTES] == 99 && target[2 * LINE_BYTES] == 99);
}

/* Commands that only order other commands, and commands for cache lines. The first of two lines becomes zero. */
static void others(uint64_t ea, uint32_t tag)
{
    CHECK(mfc_stat_cmd_queue() == 16);
    mfc_put(source, ea, 2 * LINE_BYTES, tag, 0, 0);
    mfc_barrier(tag);
    mfc_sync(tag);
    mfc_eieio(tag, 0, 0);
    mfc_sdcrt(ea, LINE_BYTES, tag, 0, 0);
    mfc_sdcrz(ea, LINE_BYTES, tag, 0, 0);
    mfc_getb(target, ea, 2 * LINE_BYTES, tag, 0, 0);
    wait_for(tag);
    CHECK(target[1] == 0 && target[LINE_BYTES + 1] == source[LINE_BYTES + 1]);
    CHECK(mfc_stat_cmd_queue() == 16);
}

int main(uint64_t spe, uint64_t rank, uint64_t spes)
{
    uint64_t ea = 0x100000 * (1 + rank);
    uint32_t tag = mfc_tag_reserve(), tags = mfc_multi_tag_reserve(4);
    int i;

    (void)spe;
    (void)spes;
    CHECK(tag != MFC_TAG_INVALID && tags != MFC_TAG_INVALID && tag != tags);
    for (i = 0; i < CHUNK_BYTES; i++)
        source[i] = 7 * i + 3 * (i >> 8) + rank;
    transfers(ea, tag);
    lists(ea, tags);
    events(ea, tag);
    lock_lines(ea, tag);
    others(ea, tag);
    return wrong;
}
