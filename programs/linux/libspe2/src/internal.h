/* What the files of this library share, and no program sees.
 *
 * Layers, from below: `files` (what a context's directory in spufs holds), then one file for each
 * part of the interface, each over the files or, with SPE_MAP_PS, over the mapped registers; `run`
 * starts programs and asks `stop` why they stopped and `callbacks` to carry out their library calls.
 */
#ifndef INTERNAL_H
#define INTERNAL_H

#include <pthread.h>

#include "libspe2.h"

#define LOCAL_STORE_BYTES 0x40000u
#define PROBLEM_STATE_BYTES 0x20000

/* The files of a context that stay open once they were used; see files.c. */
enum context_file {
    FILE_MEM,
    FILE_PSMAP,
    FILE_MBOX,
    FILE_MBOX_STAT,
    FILE_IBOX,
    FILE_IBOX_NOW, /* the same file, never waiting */
    FILE_IBOX_STAT,
    FILE_WBOX,
    FILE_WBOX_NOW,
    FILE_WBOX_STAT,
    FILE_MFC,
    FILE_MSS,
    FILE_COUNT
};

struct spe_context_base_priv {
    int directory;          /* what spu_create gave */
    int files[FILE_COUNT];  /* -1 while not open */
    unsigned int flags;     /* of spe_context_create */
    struct spe_gang_context_base_priv *gang; /* or NULL */
    char *local_store;      /* mapped */
    char *problem_state;    /* mapped, with SPE_MAP_PS; else NULL */
    unsigned int entry;     /* of the program that was loaded */
    volatile int running;   /* calls of spe_context_run under way */
    pthread_mutex_t proxy;  /* guards what follows: DMA asked for by the PPE */
    unsigned int tags_used; /* not yet reported to the program as complete */
    unsigned int tags_open; /* not yet known to be complete */
};

/* Of a context with SPE_EVENTS_ENABLE; else event_private is NULL. See stops.c. */
struct spe_context_event_priv {
    pthread_mutex_t lock;
    int pipe[2];            /* holds one byte while there are stops */
    spe_stop_info_t *stops; /* a ring */
    unsigned int size, first, count;
};

struct spe_gang_context_base_priv {
    char path[64];
    int directory;
    int contexts; /* in it */
};

/* files.c: -1 and errno, or what open, read and write give. */
int context_file(spe_context_ptr_t spe, enum context_file file);
int context_read_word(spe_context_ptr_t spe, enum context_file file, unsigned int *word);
int context_write_once(spe_context_ptr_t spe, const char *name, const void *bytes, unsigned int n, long offset);
void context_close_files(struct spe_context_base_priv *context);

/* Whether the registers of problem state may be used directly: they are mapped, and the context runs.
 * The registers of one that does not run may belong to nobody, and a load would wait for its turn. */
int registers_usable(spe_context_ptr_t spe);
#define REGISTER(spe, area, type) ((volatile type *)((spe)->base_private->problem_state + (area)))
#define MSSYNC_AT 0x00000
#define MFC_COMMAND_AT 0x03000
#define CONTROL_AT 0x04000
#define SIG_NOTIFY_1_AT 0x14000
#define SIG_NOTIFY_2_AT 0x1c000

/* Keeps accesses of registers in order. */
static inline void in_order(void)
{
    __asm__ __volatile__("eieio" : : : "memory");
}

/* elf.c */
struct spu_image {
    const unsigned char *bytes;
    unsigned long size; /* ULONG_MAX if unknown */
};
int spu_image_check(const struct spu_image *image); /* 0, or an errno */
unsigned int spu_image_entry(const struct spu_image *image);
/* Calls `segment` for each piece to be loaded: `stored` bytes at `from`, then zeros up to `size`. */
typedef int (*spu_segment)(void *closure, unsigned int address, const void *from, unsigned int stored,
                           unsigned int size);
int spu_image_segments(const struct spu_image *image, spu_segment segment, void *closure);
/* The section `name`: its address and size, or 0 if there is none. */
int spu_image_section(const struct spu_image *image, const char *name, unsigned int *address, unsigned int *size);

/* stop.c: what spu_run's answer means. Fills `info`; answers what spe_context_run does. */
int stop_decode(int status, int error, unsigned int event, spe_stop_info_t *info);
#define STOPPED_BY_STOP(status) (((status) & SPE_SPU_STOPPED_BY_STOP) != 0)
#define STOP_CODE(status) ((unsigned int)(status) >> 16 & 0x3fff)

/* stops.c */
int stops_create(spe_context_ptr_t spe);
void stops_destroy(spe_context_ptr_t spe);
void stops_push(spe_context_ptr_t spe, const spe_stop_info_t *info);

/* events.c: a context goes, and with it what is registered of it. */
void events_forget(spe_context_ptr_t spe);

/* proxy.c: tag groups that are known to be complete and that the program was not told of yet. The kernel
 * names several at once, though the program may have asked for one. */
unsigned int proxy_untold(spe_context_ptr_t spe);

/* callbacks.c: the library call of a stop with this code; `address` is that of the word behind the stop. */
#define FIRST_CALLBACK 0x2100
#define CALLBACK_COUNT 256
int callback_run(spe_context_ptr_t spe, unsigned int callnum, unsigned int address);

/* calls/: the default handlers, which are called as those of a program are. */
int call_c99(void *local_store, unsigned int address);
int call_posix1(void *local_store, unsigned int address);
int call_ea(void *local_store, unsigned int address);

#endif
