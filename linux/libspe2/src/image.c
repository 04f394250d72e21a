/* SPE programs in files of their own. */
#include "internal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The handle for the program, and the data for closing it. */
struct opened {
    spe_program_handle_t handle;
    size_t size;
};

/* Maps the whole file. Returns NULL and sets errno if the file is not an executable program. */
static void *map_file(const char *filename, size_t *size)
{
    int file = access(filename, X_OK) ? -1 : open(filename, O_RDONLY);
    void *image = MAP_FAILED;
    struct stat known;

    if (file < 0)
        return NULL;
    if (fstat(file, &known) == 0) {
        if (!S_ISREG(known.st_mode) || known.st_size == 0) {
            errno = EINVAL;
        } else {
            *size = known.st_size;
            image = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, file, 0);
        }
    }
    close(file);
    return image == MAP_FAILED ? NULL : image;
}

spe_program_handle_t *spe_image_open(const char *filename)
{
    struct opened *opened;
    struct spu_image image;
    size_t size;
    int error;

    if (!filename) {
        errno = EINVAL;
        return NULL;
    }
    opened = calloc(1, sizeof *opened);
    image.bytes = opened ? map_file(filename, &size) : NULL;
    if (!image.bytes) {
        free(opened);
        return NULL;
    }
    image.size = size;
    error = spu_image_check(&image);
    if (error) {
        munmap((void *)image.bytes, size);
        free(opened);
        errno = error;
        return NULL;
    }
    opened->handle.handle_size = sizeof opened->handle;
    opened->handle.elf_image = (void *)image.bytes;
    opened->size = size;
    return &opened->handle;
}

int spe_image_close(spe_program_handle_t *program)
{
    struct opened *opened = (struct opened *)program;
    int failed;

    if (!program) {
        errno = EINVAL;
        return -1;
    }
    failed = munmap(program->elf_image, opened->size);
    free(opened);
    return failed;
}
