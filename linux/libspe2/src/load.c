/* Loads programs into local stores. */
#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* Writes `n` bytes into the local store through its file, with one system call for each segment. Stores
 * through the mapping would cross the bus word by word. */
static int put(spe_context_ptr_t spe, unsigned int address, const char *from, unsigned int n)
{
    int mem = context_file(spe, FILE_MEM);

    while (n > 0) {
        ssize_t written = pwrite(mem, from, n, address);

        if (written <= 0)
            return -1;
        address += written;
        from += written;
        n -= written;
    }
    return 0;
}

static int put_zeros(spe_context_ptr_t spe, unsigned int address, unsigned int n)
{
    static const char zeros[4096];

    while (n > 0) {
        unsigned int piece = n < sizeof zeros ? n : sizeof zeros;

        if (put(spe, address, zeros, piece))
            return -1;
        address += piece;
        n -= piece;
    }
    return 0;
}

static int put_segment(void *closure, unsigned int address, const void *from, unsigned int stored, unsigned int size)
{
    spe_context_ptr_t spe = closure;

    return put(spe, address, from, stored) || put_zeros(spe, address + stored, size - stored) ? -1 : 0;
}

/* Stores the effective addresses of the PPE program's variables, which the linker has put beside the image. */
static int put_toe(spe_context_ptr_t spe, const struct spu_image *image, const spe_program_handle_t *program)
{
    unsigned int address, size;

    if (!program->toe_shadow || !spu_image_section(image, ".toe", &address, &size))
        return 0;
    return put(spe, address, program->toe_shadow, size);
}

/* Informs profilers and debuggers which image runs in the context. Nothing else depends on it. */
static void tell(spe_context_ptr_t spe, const spe_program_handle_t *program)
{
    char text[24];
    int n = snprintf(text, sizeof text, "0x%lx", (unsigned long)program->elf_image);
    int error = errno;

    context_write_once(spe, "object-id", text, n, 0);
    errno = error;
}

int spe_program_load(spe_context_ptr_t spe, spe_program_handle_t *program)
{
    struct spu_image image;

    if (!spe) {
        errno = ESRCH;
        return -1;
    }
    if (!program || program->handle_size < sizeof *program || !program->elf_image) {
        errno = EINVAL;
        return -1;
    }
    image.bytes = program->elf_image;
    image.size = ULONG_MAX;
    if (spu_image_check(&image)) {
        errno = EINVAL;
        return -1;
    }
    if (spu_image_segments(&image, put_segment, spe) || put_toe(spe, &image, program))
        return -1;
    spe->handle = *program;
    spe->base_private->entry = spu_image_entry(&image);
    tell(spe, program);
    return 0;
}
