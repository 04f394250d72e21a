/* Double-buffered copy: 1 MB of main memory from 0x100000 to 0x300000.
 *
 *     cellstats spu programs/samples/copy.elf -n 4 --memory FILE@0x100000
 *
 * Every SPE copies its share through two buffers, each with its own tag group. Fences alone protect the data
 * in a buffer: a getf waits for the putf that empties the buffer, and a putf waits for the getf that fills
 * the buffer. Meanwhile, the other buffer's DMAs continue.
 */
#include <spu_mfcio.h>
#include <stdint.h>
#include <stdio.h>

#define SOURCE_EA 0x100000ull
#define TARGET_EA 0x300000ull
#define TOTAL_BYTES (1u << 20)
#define CHUNK_BYTES (16u << 10) /* the largest size of a DMA */
#define CHUNKS (TOTAL_BYTES / CHUNK_BYTES)

static volatile uint8_t buffers[2][CHUNK_BYTES] __attribute__((aligned(128)));

int main(uint64_t speid, uint64_t rank, uint64_t spes)
{
    uint32_t first = rank * CHUNKS / spes, end = (rank + 1) * CHUNKS / spes;
    uint32_t chunk, ticks;

    (void)speid;
    spu_write_decrementer(UINT32_MAX);
    for (chunk = first; chunk < end; chunk++) {
        uint32_t tag = chunk % 2, offset = chunk * CHUNK_BYTES;

        mfc_getf(buffers[tag], SOURCE_EA + offset, CHUNK_BYTES, tag, 0, 0);
        mfc_putf(buffers[tag], TARGET_EA + offset, CHUNK_BYTES, tag, 0, 0);
    }
    mfc_write_tag_mask(1 << 0 | 1 << 1);
    mfc_read_tag_status_all();
    ticks = UINT32_MAX - spu_read_decrementer();
    printf("SPE %d copied %d KB in %u ticks\n", (int)rank, (int)((end - first) * CHUNK_BYTES >> 10), ticks);
    return 0;
}
