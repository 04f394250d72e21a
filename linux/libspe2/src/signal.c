/* Signal notification registers and multisource synchronisation. */
#include "internal.h"

#include <unistd.h>

int spe_signal_write(spe_context_ptr_t spe, unsigned int signal_reg, unsigned int data)
{
    if (!spe) {
        errno = ESRCH;
        return -1;
    }
    if (signal_reg != SPE_SIG_NOTIFY_REG_1 && signal_reg != SPE_SIG_NOTIFY_REG_2) {
        errno = EINVAL;
        return -1;
    }
    if (registers_usable(spe)) {
        if (signal_reg == SPE_SIG_NOTIFY_REG_1)
            REGISTER(spe, SIG_NOTIFY_1_AT, spe_sig_notify_1_area_t)->SPU_Sig_Notify_1 = data;
        else
            REGISTER(spe, SIG_NOTIFY_2_AT, spe_sig_notify_2_area_t)->SPU_Sig_Notify_2 = data;
        in_order();
        return 0;
    }
    /* The file is opened each time, as in the library of the Cell SDK, whose measured times include the opening. */
    return context_write_once(spe, signal_reg == SPE_SIG_NOTIFY_REG_1 ? "signal1" : "signal2", &data,
                              sizeof data, 0);
}

int spe_mssync_start(spe_context_ptr_t spe)
{
    unsigned int any = 1;
    int descriptor;

    if (!spe) {
        errno = ESRCH;
        return -1;
    }
    if (registers_usable(spe)) {
        REGISTER(spe, MSSYNC_AT, spe_mssync_area_t)->MFC_MSSync = any;
        in_order();
        return 0;
    }
    descriptor = context_file(spe, FILE_MSS);
    return descriptor >= 0 && write(descriptor, &any, sizeof any) == sizeof any ? 0 : -1;
}

int spe_mssync_status(spe_context_ptr_t spe)
{
    unsigned int status;

    if (!spe) {
        errno = ESRCH;
        return -1;
    }
    if (registers_usable(spe))
        return REGISTER(spe, MSSYNC_AT, spe_mssync_area_t)->MFC_MSSync;
    return context_read_word(spe, FILE_MSS, &status) ? -1 : (int)status;
}
