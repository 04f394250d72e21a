/* An SPE's registers, mapped into the PPE's memory (SPE_MAP_PS): plain assignments instead of calls.
 *
 * Accesses that must stay in order have a `sync` between them, because the PPE may perform a load before an
 * earlier store.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include "failure.h"
#include "spe.h"

static inline void *area_of(struct spe *spe, enum ps_area which)
{
    void *area = spe_ps_area_get(spe->context, which);

    if (area == NULL)
        fail_call("spe_ps_area_get");
    return area;
}

static inline volatile spe_spu_control_area_t *control_area(struct spe *spe)
{
    return area_of(spe, SPE_CONTROL_AREA);
}

static inline volatile unsigned int *in_mailbox(struct spe *spe)
{
    return &control_area(spe)->SPU_In_Mbox;
}

static inline volatile unsigned int *signal_1(struct spe *spe)
{
    volatile spe_sig_notify_1_area_t *area = area_of(spe, SPE_SIG_NOTIFY_1_AREA);

    return &area->SPU_Sig_Notify_1;
}

static inline void sync(void)
{
    __asm__ __volatile__("sync" : : : "memory");
}

/* Waits for a free entry and writes it. */
static inline void write_in_mailbox(volatile spe_spu_control_area_t *control, unsigned int message)
{
    while ((control->SPU_Mbox_Stat >> 8 & 0xff) == 0)
        ;
    sync();
    control->SPU_In_Mbox = message;
    sync();
}

/* Waits for an entry and reads it. */
static inline unsigned int read_out_mailbox(volatile spe_spu_control_area_t *control)
{
    while ((control->SPU_Mbox_Stat & 0xff) == 0)
        ;
    return control->SPU_Out_Mbox;
}

static inline void write_signal(volatile unsigned int *signal, unsigned int message)
{
    *signal = message;
    sync();
}

#endif
