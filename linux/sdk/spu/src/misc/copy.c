/* Copies between main memory and the local store. */
#include <libmisc.h>
#include <spu_mfcio.h>
#include <string.h>

/* A transfer of DMA has a size of 1, 2, 4, 8 or a multiple of 16 bytes, and is aligned to its size, at most to
 * 16 bytes; the lowest four bits of both addresses are equal. Where these bits of the two addresses differ,
 * the bytes pass through this buffer, in which they have the bits of the address in memory. */
static unsigned char buffer[4096 + 16] __attribute__((aligned(128)));

enum { TRANSFER_BYTES_MAX = 16384 };

static void transfer(unsigned int command, uint32_t local, uint64_t memory, size_t n)
{
    unsigned int reserved = mfc_tag_reserve(), mask = mfc_read_tag_mask();
    /* If all tags are reserved, the copy shares the last one. */
    unsigned int tag = reserved == MFC_TAG_INVALID ? 31 : reserved;

    while (n > 0) {
        size_t part = n < TRANSFER_BYTES_MAX ? n & ~(size_t)15 : TRANSFER_BYTES_MAX;
        size_t aligned = memory & -memory & 15;

        if (aligned || part == 0)
            for (part = aligned ? aligned : 8; part > n;)
                part /= 2;
        spu_mfcdma64((void *)local, memory >> 32, (uint32_t)memory, part, tag, command);
        local += part;
        memory += part;
        n -= part;
    }
    mfc_write_tag_mask(1 << tag);
    mfc_read_tag_status_all();
    mfc_write_tag_mask(mask);
    if (reserved != MFC_TAG_INVALID)
        mfc_tag_release(reserved);
}

static size_t copy(unsigned int command, uint32_t local, uint64_t memory, size_t n)
{
    size_t done, part;

    if (((local ^ memory) & 15) == 0) {
        transfer(command, local, memory, n);
        return n;
    }
    for (done = 0; done < n; done += part) {
        unsigned char *start = buffer + ((memory + done) & 15);

        part = n - done < 4096 ? n - done : 4096;
        if (command == MFC_PUT_CMD)
            memcpy(start, (const void *)(local + done), part);
        transfer(command, (uint32_t)start, memory + done, part);
        if (command == MFC_GET_CMD)
            memcpy((void *)(local + done), start, part);
    }
    return n;
}

size_t copy_from_ls(uint64_t to, uint32_t from, size_t n)
{
    return copy(MFC_PUT_CMD, from, to, n);
}

size_t copy_to_ls(uint32_t to, uint64_t from, size_t n)
{
    return copy(MFC_GET_CMD, to, from, n);
}
