/* The reason for a stop: converts the result of spu_run(2) to a spe_stop_info_t. */
#include "internal.h"

#include "spu_calls.h"

#define DMA_EVENTS (SPE_DMA_ALIGNMENT | SPE_DMA_SEGMENTATION | SPE_DMA_STORAGE | SPE_INVALID_DMA)

/* Stop codes of newlib's exit and of the isolation loader. All other codes are user-defined. */
#define EXIT_CODES 0x2000
#define ISOLATION_CODES 0x2200
#define ISOLATION_CODE_COUNT 16

static int by_code(unsigned int code, spe_stop_info_t *info)
{
    if ((code & ~0xffu) == EXIT_CODES) {
        info->stop_reason = SPE_EXIT;
        info->result.spe_exit_code = code & 0xff;
        return 0;
    }
    if (code - ISOLATION_CODES < ISOLATION_CODE_COUNT) {
        info->stop_reason = SPE_ISOLATION_ERROR;
        info->result.spe_isolation_error = code & 0xf;
        errno = EFAULT;
        return -1;
    }
    info->stop_reason = SPE_STOP_AND_SIGNAL;
    info->result.spe_signal_code = code;
    return code;
}

int stop_decode(int status, int error, unsigned int event, spe_stop_info_t *info)
{
    static const int ERRORS[] = {SPE_SPU_HALT, SPE_SPU_INVALID_INSTR, SPE_SPU_INVALID_CHANNEL,
                                 SPE_SPU_SINGLE_STEP};
    unsigned int n;

    info->spu_status = status;
    if (event & DMA_EVENTS) {
        info->spu_status = -1;
        errno = EIO;
        info->stop_reason = SPE_RUNTIME_EXCEPTION;
        info->result.spe_runtime_exception = event & DMA_EVENTS;
        return -1;
    }
    if (status >= 0 && STOPPED_BY_STOP(status))
        return by_code(STOP_CODE(status), info);
    /* The kernel may report a refused instruction as an event, without a status. */
    if (status < 0 && event & SPU_EVENT_SPE_ERROR)
        status = SPE_SPU_INVALID_INSTR;
    for (n = 0; status >= 0 && n < sizeof ERRORS / sizeof ERRORS[0]; n++) {
        if (status & ERRORS[n]) {
            errno = EFAULT;
            info->stop_reason = SPE_RUNTIME_ERROR;
            info->result.spe_runtime_error = ERRORS[n];
            return -1;
        }
    }
    info->stop_reason = SPE_RUNTIME_FATAL;
    info->result.spe_runtime_fatal = status < 0 ? error : EIO;
    errno = EFAULT;
    return -1;
}
