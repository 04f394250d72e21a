/* The files of a context in spufs. They are opened on first use and stay open. */
#include "internal.h"

#include <fcntl.h>
#include <unistd.h>

static const struct {
    const char *name;
    int flags;
} FILES[FILE_COUNT] = {
    [FILE_MEM] = {"mem", O_RDWR},
    [FILE_PSMAP] = {"psmap", O_RDWR},
    [FILE_MBOX] = {"mbox", O_RDONLY},
    [FILE_MBOX_STAT] = {"mbox_stat", O_RDONLY},
    [FILE_IBOX] = {"ibox", O_RDONLY},
    [FILE_IBOX_NOW] = {"ibox", O_RDONLY | O_NONBLOCK},
    [FILE_IBOX_STAT] = {"ibox_stat", O_RDONLY},
    [FILE_WBOX] = {"wbox", O_WRONLY},
    [FILE_WBOX_NOW] = {"wbox", O_WRONLY | O_NONBLOCK},
    [FILE_WBOX_STAT] = {"wbox_stat", O_RDONLY},
    [FILE_MFC] = {"mfc", O_RDWR | O_NONBLOCK},
    [FILE_MSS] = {"mss", O_RDWR},
};

int context_file(spe_context_ptr_t spe, enum context_file file)
{
    int *kept = &spe->base_private->files[file];
    int opened;

    if (*kept >= 0)
        return *kept;
    opened = openat(spe->base_private->directory, FILES[file].name, FILES[file].flags);
    /* Another thread may have opened the file first. */
    if (opened >= 0 && !__sync_bool_compare_and_swap(kept, -1, opened))
        close(opened);
    return opened >= 0 ? *kept : -1;
}

int context_read_word(spe_context_ptr_t spe, enum context_file file, unsigned int *word)
{
    int descriptor = context_file(spe, file);

    if (descriptor < 0)
        return -1;
    return read(descriptor, word, sizeof *word) == sizeof *word ? 0 : -1;
}

int context_write_once(spe_context_ptr_t spe, const char *name, const void *bytes, unsigned int n, long offset)
{
    int descriptor = openat(spe->base_private->directory, name, O_WRONLY);
    ssize_t written;
    int error;

    if (descriptor < 0)
        return -1;
    written = offset ? pwrite(descriptor, bytes, n, offset) : write(descriptor, bytes, n);
    error = errno;
    close(descriptor);
    errno = error;
    return written == (ssize_t)n ? 0 : -1;
}

void context_close_files(struct spe_context_base_priv *context)
{
    int file;

    for (file = 0; file < FILE_COUNT; file++)
        if (context->files[file] >= 0)
            close(context->files[file]);
    if (context->directory >= 0)
        close(context->directory);
}
