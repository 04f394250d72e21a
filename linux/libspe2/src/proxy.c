/* Proxy DMA, which the PPE requests from an SPE's MFC through the file `mfc` or through problem-state
 * registers.
 *
 * With SPE_EVENTS_ENABLE, the file is always used, because the kernel reports the completion only of commands
 * that it received through the file.
 */
#include "internal.h"

#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include "cbe_mfc.h"

#define COMMAND(spe) REGISTER(spe, MFC_COMMAND_AT, spe_mfc_command_area_t)
#define TAGS 16
#define DMA_BYTES_MAX 16384

/* The data written to the file `mfc`: struct mfc_dma_command of spufs. */
struct command {
    int pad;
    unsigned int lsa;
    unsigned long long ea;
    unsigned short size, tag, class, cmd;
};

static int by_registers(spe_context_ptr_t spe)
{
    return registers_usable(spe) && !spe->event_private;
}

/* Whether the MFC would refuse the command (Cell Broadband Engine Architecture, "MFC Commands"). */
static int is_wrong(const struct command *command)
{
    unsigned int size = command->size;

    if (command->tag >= TAGS || (command->lsa & 15) != (command->ea & 15))
        return 1;
    if (size == 1 || size == 2 || size == 4 || size == 8)
        return command->lsa % size != 0;
    return size == 0 || size % 16 != 0 || command->lsa % 16 != 0;
}

static int enqueue_by_file(spe_context_ptr_t spe, const struct command *command)
{
    struct pollfd room = {context_file(spe, FILE_MFC), POLLOUT, 0};

    if (room.fd < 0)
        return -1;
    while (write(room.fd, command, sizeof *command) != sizeof *command)
        if (errno != EAGAIN || poll(&room, 1, -1) < 0)
            return -1;
    return 0;
}

static int enqueue_by_registers(spe_context_ptr_t spe, const struct command *command)
{
    unsigned int answer;

    do {
        COMMAND(spe)->MFC_LSA = command->lsa;
        COMMAND(spe)->MFC_EAH = command->ea >> 32;
        COMMAND(spe)->MFC_EAL = (unsigned int)command->ea;
        COMMAND(spe)->MFC_Size_Tag = (unsigned int)command->size << 16 | command->tag;
        in_order();
        COMMAND(spe)->MFC_ClassID_CMD = (unsigned int)command->class << 16 | command->cmd;
        in_order();
        answer = COMMAND(spe)->MFC_CMDStatus & 3;
    } while (answer != MFC_PROXY_COMMAND_ENQUEUED);
    return 0;
}

static int enqueue(spe_context_ptr_t spe, unsigned int ls, void *ea, unsigned int size, unsigned int tag,
                   unsigned int tid, unsigned int rid, unsigned int cmd)
{
    struct command command = {0, ls, (unsigned long)ea, size, tag, tid << 8 | (rid & 0xff), cmd};
    struct spe_context_base_priv *context;
    int failed;

    if (!spe) {
        errno = ESRCH;
        return -1;
    }
    if (size > DMA_BYTES_MAX || tag >= TAGS || is_wrong(&command)) {
        errno = EINVAL;
        return -1;
    }
    context = spe->base_private;
    pthread_mutex_lock(&context->proxy);
    failed = by_registers(spe) ? enqueue_by_registers(spe, &command) : enqueue_by_file(spe, &command);
    if (!failed) {
        context->tags_used |= 1u << tag;
        context->tags_open |= 1u << tag;
    }
    pthread_mutex_unlock(&context->proxy);
    return failed;
}

#define PROXY_COMMAND(name, opcode)                                                                     \
    int name(spe_context_ptr_t spe, unsigned int ls, void *ea, unsigned int size, unsigned int tag,     \
             unsigned int tid, unsigned int rid)                                                        \
    {                                                                                                   \
        return enqueue(spe, ls, ea, size, tag, tid, rid, opcode);                                       \
    }

PROXY_COMMAND(spe_mfcio_put, MFC_PUT_CMD)
PROXY_COMMAND(spe_mfcio_putb, MFC_PUTB_CMD)
PROXY_COMMAND(spe_mfcio_putf, MFC_PUTF_CMD)
PROXY_COMMAND(spe_mfcio_get, MFC_GET_CMD)
PROXY_COMMAND(spe_mfcio_getb, MFC_GETB_CMD)
PROXY_COMMAND(spe_mfcio_getf, MFC_GETF_CMD)

/* Updates the set of completed tag groups. Returns -1 if the set cannot be read. */
static int look(spe_context_ptr_t spe)
{
    struct spe_context_base_priv *context = spe->base_private;
    unsigned int completed = 0;
    int mfc;

    if (by_registers(spe)) {
        COMMAND(spe)->Prxy_QueryMask = context->tags_open;
        in_order();
        context->tags_open &= ~COMMAND(spe)->Prxy_TagStatus;
        return 0;
    }
    mfc = context_file(spe, FILE_MFC);
    if (mfc < 0 || (read(mfc, &completed, sizeof completed) < 0 && errno != EAGAIN))
        return -1;
    context->tags_open &= ~completed;
    return 0;
}

unsigned int proxy_untold(spe_context_ptr_t spe)
{
    struct spe_context_base_priv *context = spe->base_private;
    unsigned int untold;

    pthread_mutex_lock(&context->proxy);
    untold = context->tags_used & ~context->tags_open;
    pthread_mutex_unlock(&context->proxy);
    return untold;
}

/* Waits until more tag groups may have completed. */
static int wait_for_more(spe_context_ptr_t spe)
{
    struct pollfd ends = {spe->base_private->files[FILE_MFC], POLLIN, 0};

    if (by_registers(spe) || ends.fd < 0)
        return sched_yield();
    return poll(&ends, 1, -1) < 0 ? -1 : 0;
}

static int is_enough(unsigned int behavior, unsigned int done, unsigned int mask)
{
    return behavior == SPE_TAG_IMMEDIATE || mask == 0 || (behavior == SPE_TAG_ANY ? done != 0 : done == mask);
}

int spe_mfcio_tag_status_read(spe_context_ptr_t spe, unsigned int mask, unsigned int behavior,
                              unsigned int *tag_status)
{
    struct spe_context_base_priv *context = spe ? spe->base_private : NULL;
    unsigned int wanted, done;
    int failed = 0;

    if (!context || !tag_status || behavior < SPE_TAG_ALL || behavior > SPE_TAG_IMMEDIATE) {
        errno = context ? EINVAL : ESRCH;
        return -1;
    }
    for (;;) {
        pthread_mutex_lock(&context->proxy);
        /* The kernel uses the other tags. */
        wanted = mask ? mask & ((1u << TAGS) - 1) : context->tags_used;
        if (wanted & context->tags_open)
            failed = look(spe);
        done = wanted & ~context->tags_open;
        if (!failed && is_enough(behavior, done, wanted))
            context->tags_used &= ~done;
        pthread_mutex_unlock(&context->proxy);
        if (!failed && !is_enough(behavior, done, wanted))
            failed = wait_for_more(spe);
        else
            break;
    }
    if (failed)
        return -1;
    *tag_status = done;
    return 0;
}
