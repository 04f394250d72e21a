/* Calls of version 1 that are calls of version 2 under another name. */
#include "threads.h"

int spe_count_physical_spes(void)
{
    return spe_cpu_info_get(SPE_COUNT_PHYSICAL_SPES, -1);
}

spe_program_handle_t *spe_open_image(const char *filename)
{
    return spe_image_open(filename);
}

int spe_close_image(spe_program_handle_t *program_handle)
{
    return spe_image_close(program_handle);
}

void *spe_get_ls(speid_t speid)
{
    return spe_ls_area_get(context_of(speid));
}

void *spe_get_ps_area(speid_t speid, enum ps_area area)
{
    return spe_ps_area_get(context_of(speid), area);
}

int spe_write_in_mbox(speid_t speid, unsigned int data)
{
    return spe_in_mbox_write(context_of(speid), &data, 1, SPE_MBOX_ALL_BLOCKING) == 1 ? 0 : -1;
}

int spe_stat_in_mbox(speid_t speid)
{
    return spe_in_mbox_status(context_of(speid));
}

unsigned int spe_read_out_mbox(speid_t speid)
{
    unsigned int data;
    int read = spe_out_mbox_read(context_of(speid), &data, 1);

    if (read == 0)
        errno = EAGAIN;
    return read == 1 ? data : (unsigned int)-1;
}

int spe_stat_out_mbox(speid_t speid)
{
    return spe_out_mbox_status(context_of(speid));
}

int spe_stat_out_intr_mbox(speid_t speid)
{
    return spe_out_intr_mbox_status(context_of(speid));
}

int spe_write_signal(speid_t speid, unsigned int signal_reg, unsigned int data)
{
    return spe_signal_write(context_of(speid), signal_reg, data);
}

#define PROXY_COMMAND(name, same)                                                                         \
    int name(speid_t spe, unsigned ls, void *ea, unsigned size, unsigned short tag, unsigned char tid,    \
             unsigned char rid)                                                                           \
    {                                                                                                     \
        return same(context_of(spe), ls, ea, size, tag, tid, rid);                                        \
    }

PROXY_COMMAND(spe_mfc_put, spe_mfcio_put)
PROXY_COMMAND(spe_mfc_putf, spe_mfcio_putf)
PROXY_COMMAND(spe_mfc_putb, spe_mfcio_putb)
PROXY_COMMAND(spe_mfc_get, spe_mfcio_get)
PROXY_COMMAND(spe_mfc_getf, spe_mfcio_getf)
PROXY_COMMAND(spe_mfc_getb, spe_mfcio_getb)

static int tag_status(speid_t speid, unsigned int mask, unsigned int behavior)
{
    unsigned int status;

    return spe_mfcio_tag_status_read(context_of(speid), mask, behavior, &status) ? -1 : (int)status;
}

int spe_mfc_read_tag_status_all(speid_t speid, unsigned int mask)
{
    return tag_status(speid, mask, SPE_TAG_ALL);
}

int spe_mfc_read_tag_status_any(speid_t speid, unsigned int mask)
{
    return tag_status(speid, mask, SPE_TAG_ANY);
}

int spe_mfc_read_tag_status_immediate(speid_t speid, unsigned int mask)
{
    return tag_status(speid, mask, SPE_TAG_IMMEDIATE);
}

static int not_there(void)
{
    errno = ENOSYS;
    return -1;
}

int spe_get_affinity(speid_t speid, unsigned long *mask)
{
    (void)speid;
    (void)mask;
    return not_there();
}

int spe_set_affinity(speid_t speid, unsigned long mask)
{
    (void)speid;
    (void)mask;
    return not_there();
}

int spe_get_context(speid_t speid, struct spe_ucontext *uc)
{
    (void)speid;
    (void)uc;
    return not_there();
}

int spe_set_context(speid_t speid, struct spe_ucontext *uc)
{
    (void)speid;
    (void)uc;
    return not_there();
}
