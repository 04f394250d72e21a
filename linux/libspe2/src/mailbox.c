/* Mailboxes, through their files. If a context with SPE_MAP_PS runs, the two mailboxes whose registers are
 * problem state are accessed without the kernel, as long as no wait is needed.
 */
#include "internal.h"

#include <unistd.h>

#define CONTROL(spe) REGISTER(spe, CONTROL_AT, spe_spu_control_area_t)

static int refused(spe_context_ptr_t spe, const unsigned int *mbox_data, int count)
{
    if (!spe)
        errno = ESRCH;
    else if (!mbox_data || count < 1)
        errno = EINVAL;
    else
        return 0;
    return 1;
}

static int is_behavior(unsigned int behavior)
{
    return behavior == SPE_MBOX_ALL_BLOCKING || behavior == SPE_MBOX_ANY_BLOCKING ||
           behavior == SPE_MBOX_ANY_NONBLOCKING;
}

/* The number of entries that a read or write of a mailbox's file transferred. */
static int entries(ssize_t bytes)
{
    if (bytes < 0 && errno == EAGAIN)
        return 0;
    return bytes < 0 ? -1 : (int)(bytes / sizeof(unsigned int));
}

typedef ssize_t (*mover)(int descriptor, void *bytes, size_t n);

static ssize_t write_some(int descriptor, void *bytes, size_t n)
{
    return write(descriptor, bytes, n);
}

/* Transfers as many entries as possible at once or, with SPE_MBOX_ALL_BLOCKING, all `count` unless a call fails. */
static int move(spe_context_ptr_t spe, enum context_file file, mover mover, unsigned int *data, int count,
                int all)
{
    int descriptor = context_file(spe, file);
    int moved = 0;

    if (descriptor < 0)
        return -1;
    do {
        int n = entries(mover(descriptor, data + moved, (count - moved) * sizeof *data));

        if (n < 0)
            return moved > 0 ? moved : -1;
        moved += n;
    } while (all && moved < count);
    return moved;
}

int spe_out_mbox_read(spe_context_ptr_t spe, unsigned int *mbox_data, int count)
{
    int n = 0;

    if (refused(spe, mbox_data, count))
        return -1;
    if (!registers_usable(spe))
        return move(spe, FILE_MBOX, read, mbox_data, count, 0);
    for (; n < count && (CONTROL(spe)->SPU_Mbox_Stat & 0xff) != 0; n++) {
        in_order();
        mbox_data[n] = CONTROL(spe)->SPU_Out_Mbox;
        in_order();
    }
    return n;
}

int spe_in_mbox_write(spe_context_ptr_t spe, unsigned int *mbox_data, int count, unsigned int behavior)
{
    int n = 0, more;

    if (refused(spe, mbox_data, count))
        return -1;
    if (!is_behavior(behavior)) {
        errno = EINVAL;
        return -1;
    }
    if (registers_usable(spe))
        for (; n < count && (CONTROL(spe)->SPU_Mbox_Stat >> 8 & 0xff) != 0; n++) {
            in_order();
            CONTROL(spe)->SPU_In_Mbox = mbox_data[n];
            in_order();
        }
    if (n == count || (n > 0 && behavior != SPE_MBOX_ALL_BLOCKING))
        return n;
    more = move(spe, behavior == SPE_MBOX_ANY_NONBLOCKING ? FILE_WBOX_NOW : FILE_WBOX, write_some,
                mbox_data + n, count - n, behavior == SPE_MBOX_ALL_BLOCKING);
    return more < 0 && n > 0 ? n : n + more;
}

int spe_out_intr_mbox_read(spe_context_ptr_t spe, unsigned int *mbox_data, int count, unsigned int behavior)
{
    if (refused(spe, mbox_data, count))
        return -1;
    if (!is_behavior(behavior)) {
        errno = EINVAL;
        return -1;
    }
    return move(spe, behavior == SPE_MBOX_ANY_NONBLOCKING ? FILE_IBOX_NOW : FILE_IBOX, read, mbox_data, count,
                behavior == SPE_MBOX_ALL_BLOCKING);
}

/* The number of entries. `shift` is the position of that number in SPU_Mbox_Stat. */
static int status(spe_context_ptr_t spe, enum context_file file, int shift)
{
    unsigned int number;

    if (!spe) {
        errno = ESRCH;
        return -1;
    }
    if (registers_usable(spe))
        return CONTROL(spe)->SPU_Mbox_Stat >> shift & 0xff;
    return context_read_word(spe, file, &number) ? -1 : (int)number;
}

int spe_out_mbox_status(spe_context_ptr_t spe)
{
    return status(spe, FILE_MBOX_STAT, 0);
}

int spe_in_mbox_status(spe_context_ptr_t spe)
{
    return status(spe, FILE_WBOX_STAT, 8);
}

int spe_out_intr_mbox_status(spe_context_ptr_t spe)
{
    return status(spe, FILE_IBOX_STAT, 16);
}
