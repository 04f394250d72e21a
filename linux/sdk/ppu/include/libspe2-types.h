/* Types and constants of the SPE Runtime Management Library, version 2 (see libspe2.h).
 *
 * Values and layouts are those of the published interface. Executables that were linked with another
 * implementation of the interface also run with this one.
 */
#ifndef LIBSPE2_TYPES_H
#define LIBSPE2_TYPES_H

#include <limits.h>

#include "cbea_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An SPE program in the memory of the PPE: the image of its ELF file. A linked-in program (`extern
 * spe_program_handle_t name;`) and an opened file (spe_image_open) look the same. */
typedef struct spe_program_handle {
    unsigned int handle_size; /* sizeof(spe_program_handle_t) */
    void *elf_image;
    void *toe_shadow; /* CESOF's table of effective addresses, or NULL */
} spe_program_handle_t;

/* A logical SPE. Programs use only pointers to it. A debugger finds the program in the first field. */
struct spe_context {
    spe_program_handle_t handle;
    struct spe_context_base_priv *base_private;
    struct spe_context_event_priv *event_private;
};
typedef struct spe_context *spe_context_ptr_t;

/* Contexts that should run at the same time. */
struct spe_gang_context {
    struct spe_gang_context_base_priv *base_private;
    struct spe_gang_context_event_priv *event_private;
};
typedef struct spe_gang_context *spe_gang_context_ptr_t;

/* The reason why an SPE program stopped. `stop_reason` selects the valid member of `result`. */
typedef struct spe_stop_info {
    unsigned int stop_reason;
    union {
        int spe_exit_code;         /* SPE_EXIT: the argument of exit(), 0 to 255 */
        int spe_signal_code;       /* SPE_STOP_AND_SIGNAL: the code of the stop instruction */
        int spe_runtime_error;     /* SPE_RUNTIME_ERROR: an SPE_SPU_ constant */
        int spe_runtime_exception; /* SPE_RUNTIME_EXCEPTION: an SPE_DMA_ constant */
        int spe_runtime_fatal;     /* SPE_RUNTIME_FATAL: errno of the operating system */
        int spe_callback_error;    /* SPE_CALLBACK_ERROR: the callback's return value */
        int spe_isolation_error;   /* SPE_ISOLATION_ERROR: a code of the isolation loader */
        void *__reserved_ptr;
        unsigned long long __reserved_u64;
    } result;
    int spu_status; /* register SPU_Status after the stop; -1 if unknown */
} spe_stop_info_t;

typedef union spe_event_data {
    void *ptr;
    unsigned int u32;
    unsigned long long u64;
} spe_event_data_t;

typedef struct spe_event_unit {
    unsigned int events; /* SPE_EVENT_ constants */
    spe_context_ptr_t spe;
    spe_event_data_t data; /* the program's own data, returned with the event */
} spe_event_unit_t;

typedef void *spe_event_handler_ptr_t;
typedef int spe_event_handler_t;

/* Areas of problem state. */
enum ps_area {
    SPE_MSSYNC_AREA,
    SPE_MFC_COMMAND_AREA,
    SPE_CONTROL_AREA,
    SPE_SIG_NOTIFY_1_AREA,
    SPE_SIG_NOTIFY_2_AREA
};

/* Flags of spe_context_create. */
#define SPE_CFG_SIGNOTIFY1_OR 0x00000010
#define SPE_CFG_SIGNOTIFY2_OR 0x00000020
#define SPE_MAP_PS 0x00000040
#define SPE_ISOLATE 0x00000080
#define SPE_ISOLATE_EMULATE 0x00000100
#define SPE_EVENTS_ENABLE 0x00001000
#define SPE_AFFINITY_MEMORY 0x00002000
#define SPE_NOSCHED 0x00004000

/* Flags of spe_context_run, and the value of *entry that selects the program's own entry. */
#define SPE_DEFAULT_ENTRY UINT_MAX
#define SPE_RUN_USER_REGS 0x00000001 /* argp points to three quadwords, for $3 to $5 */
#define SPE_NO_CALLBACKS 0x00000002  /* stops with codes of library calls are returned like all other stops */

/* Values of stop_reason in spe_stop_info_t. */
#define SPE_EXIT 1
#define SPE_STOP_AND_SIGNAL 2
#define SPE_RUNTIME_ERROR 3
#define SPE_RUNTIME_EXCEPTION 4
#define SPE_RUNTIME_FATAL 5
#define SPE_CALLBACK_ERROR 6
#define SPE_ISOLATION_ERROR 7

/* Values of result.spe_runtime_error: bits of the register SPU_Status. */
#define SPE_SPU_STOPPED_BY_STOP 0x02
#define SPE_SPU_HALT 0x04
#define SPE_SPU_WAITING_ON_CHANNEL 0x08
#define SPE_SPU_SINGLE_STEP 0x10
#define SPE_SPU_INVALID_INSTR 0x20
#define SPE_SPU_INVALID_CHANNEL 0x40

/* Values of result.spe_runtime_exception: events of spu_run(2). */
#define SPE_DMA_ALIGNMENT 0x0008
#define SPE_DMA_SEGMENTATION 0x0020
#define SPE_DMA_STORAGE 0x0040
#define SPE_INVALID_DMA 0x0800

/* The signal that version 1 of the library used for its events. */
#define SIGSPE SIGURG

#define SPE_EVENT_OUT_INTR_MBOX 0x00000001 /* the interrupt mailbox has an entry to be read */
#define SPE_EVENT_IN_MBOX 0x00000002       /* the inbound mailbox has room */
#define SPE_EVENT_TAG_GROUP 0x00000004     /* a tag group of proxy DMA has completed */
#define SPE_EVENT_SPE_STOPPED 0x00000008   /* spe_context_run has returned; see spe_stop_info_read */
#define SPE_EVENT_ALL_EVENTS \
    (SPE_EVENT_OUT_INTR_MBOX | SPE_EVENT_IN_MBOX | SPE_EVENT_TAG_GROUP | SPE_EVENT_SPE_STOPPED)

/* Waiting behaviour of mailbox calls. */
#define SPE_MBOX_ALL_BLOCKING 1    /* until all entries are transferred */
#define SPE_MBOX_ANY_BLOCKING 2    /* until at least one entry is transferred */
#define SPE_MBOX_ANY_NONBLOCKING 3 /* not at all */

/* Waiting behaviour of spe_mfcio_tag_status_read. */
#define SPE_TAG_ALL 1
#define SPE_TAG_ANY 2
#define SPE_TAG_IMMEDIATE 3

#define SPE_SIG_NOTIFY_REG_1 0x0001
#define SPE_SIG_NOTIFY_REG_2 0x0002

/* Modes of spe_callback_handler_register. */
#define SPE_CALLBACK_NEW 1
#define SPE_CALLBACK_UPDATE 2

/* Requests of spe_cpu_info_get. */
#define SPE_COUNT_PHYSICAL_CPU_NODES 1
#define SPE_COUNT_PHYSICAL_SPES 2
#define SPE_COUNT_USABLE_SPES 3

#ifdef __cplusplus
}
#endif

#endif
