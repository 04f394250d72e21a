/* The problem-state registers of an SPE as a PPE program maps them (Cell Broadband Engine Architecture,
 * "Problem State Memory-Mapped Registers").
 *
 * spe_ps_area_get() returns a pointer to one of these areas. All registers are words. Reading or writing
 * them makes the hardware act, so programs use volatile pointers.
 */
#ifndef CBEA_MAP_H
#define CBEA_MAP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spe_mssync_area {
    unsigned int MFC_MSSync; /* 0x00000 of the problem-state area */
} spe_mssync_area_t;

typedef struct spe_mfc_command_area {
    unsigned char reserved_0_3[4]; /* 0x03000 */
    unsigned int MFC_LSA;
    unsigned int MFC_EAH;
    unsigned int MFC_EAL;
    unsigned int MFC_Size_Tag;
    union {
        unsigned int MFC_ClassID_CMD; /* written */
        unsigned int MFC_CMDStatus;   /* read */
    };
    unsigned char reserved_18_103[236];
    unsigned int MFC_QStatus;
    unsigned char reserved_108_203[252];
    unsigned int Prxy_QueryType;
    unsigned char reserved_208_21B[20];
    unsigned int Prxy_QueryMask;
    unsigned char reserved_220_22B[12];
    unsigned int Prxy_TagStatus;
} spe_mfc_command_area_t;

typedef struct spe_spu_control_area {
    unsigned char reserved_0_3[4]; /* 0x04000 */
    unsigned int SPU_Out_Mbox;
    unsigned char reserved_8_B[4];
    unsigned int SPU_In_Mbox;
    unsigned char reserved_10_13[4];
    unsigned int SPU_Mbox_Stat;
    unsigned char reserved_18_1B[4];
    unsigned int SPU_RunCntl;
    unsigned char reserved_20_23[4];
    unsigned int SPU_Status;
    unsigned char reserved_28_33[12];
    unsigned int SPU_NPC;
} spe_spu_control_area_t;

typedef struct spe_sig_notify_1_area {
    unsigned char reserved_0_B[12]; /* 0x14000 */
    unsigned int SPU_Sig_Notify_1;
} spe_sig_notify_1_area_t;

typedef struct spe_sig_notify_2_area {
    unsigned char reserved_0_B[12]; /* 0x1c000 */
    unsigned int SPU_Sig_Notify_2;
} spe_sig_notify_2_area_t;

#ifdef __cplusplus
}
#endif

#endif
