/* Commands of the MFC, and functions with which a PPE program uses an SPE's mapped registers directly,
 * without the operating system (spe_ps_area_get, with SPE_MAP_PS).
 *
 * Opcodes are those of the Cell Broadband Engine Architecture, "MFC Commands".
 */
#ifndef CBE_MFC_H
#define CBE_MFC_H

#include "cbea_map.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MFC_BARRIER_ENABLE 0x0001
#define MFC_FENCE_ENABLE 0x0002
#define MFC_LIST_ENABLE 0x0004
#define MFC_START_ENABLE 0x0008
#define MFC_RESULT_ENABLE 0x0010

#define MFC_PUT_CMD 0x0020
#define MFC_PUTB_CMD 0x0021
#define MFC_PUTF_CMD 0x0022
#define MFC_PUTS_CMD 0x0028
#define MFC_PUTBS_CMD 0x0029
#define MFC_PUTFS_CMD 0x002a
#define MFC_PUTR_CMD 0x0030
#define MFC_PUTRB_CMD 0x0031
#define MFC_PUTRF_CMD 0x0032
#define MFC_GET_CMD 0x0040
#define MFC_GETB_CMD 0x0041
#define MFC_GETF_CMD 0x0042
#define MFC_GETS_CMD 0x0048
#define MFC_GETBS_CMD 0x0049
#define MFC_GETFS_CMD 0x004a
#define MFC_SNDSIG_CMD 0x00a0
#define MFC_SNDSIGB_CMD 0x00a1
#define MFC_SNDSIGF_CMD 0x00a2
#define MFC_BARRIER_CMD 0x00c0
#define MFC_EIEIO_CMD 0x00c8
#define MFC_SYNC_CMD 0x00cc

/* Values of Prxy_QueryType. */
#define MFC_TAG_UPDATE_IMMEDIATE 0
#define MFC_TAG_UPDATE_ANY 1
#define MFC_TAG_UPDATE_ALL 2

/* Values of MFC_CMDStatus. */
#define MFC_PROXY_COMMAND_ENQUEUED 0
#define MFC_PROXY_COMMAND_SEQUENCE_ERROR 1
#define MFC_PROXY_COMMAND_QUEUE_FULL 2

/* The numbers of entries in the outbound mailbox, of free entries in the inbound mailbox, and of entries in
 * the interrupt mailbox. */
static __inline__ unsigned int _spe_out_mbox_status(volatile spe_spu_control_area_t *area)
{
    return area->SPU_Mbox_Stat & 0xff;
}

static __inline__ unsigned int _spe_in_mbox_status(volatile spe_spu_control_area_t *area)
{
    return area->SPU_Mbox_Stat >> 8 & 0xff;
}

static __inline__ unsigned int _spe_out_intr_mbox_status(volatile spe_spu_control_area_t *area)
{
    return area->SPU_Mbox_Stat >> 16 & 0xff;
}

/* Reads and writes of mailboxes, which poll until they can proceed. */
static __inline__ unsigned int _spe_out_mbox_read(volatile spe_spu_control_area_t *area)
{
    while (_spe_out_mbox_status(area) == 0)
        ;
    __asm__ __volatile__("eieio" : : : "memory");
    return area->SPU_Out_Mbox;
}

static __inline__ void _spe_in_mbox_write(volatile spe_spu_control_area_t *area, unsigned int value)
{
    while (_spe_in_mbox_status(area) == 0)
        ;
    __asm__ __volatile__("eieio" : : : "memory");
    area->SPU_In_Mbox = value;
}

static __inline__ void _spe_sig_notify_1_write(volatile spe_sig_notify_1_area_t *area, unsigned int value)
{
    area->SPU_Sig_Notify_1 = value;
}

static __inline__ void _spe_sig_notify_2_write(volatile spe_sig_notify_2_area_t *area, unsigned int value)
{
    area->SPU_Sig_Notify_2 = value;
}

#ifdef __cplusplus
}
#endif

#endif
