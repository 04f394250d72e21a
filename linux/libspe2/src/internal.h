/* Declarations shared by the files of this library. Programs do not see them.
 *
 * The layers are, from below: `files` (the files in a context's directory of spufs); then one file for each
 * part of the interface, on top of the files or, with SPE_MAP_PS, of the mapped registers; and `run`, which
 * starts programs, asks `stop` for the reason of a stop, and asks `callbacks` to carry out library calls.
 */
#ifndef INTERNAL_H
#define INTERNAL_H

#include <pthread.h>

#include "libspe2.h"

#define LOCAL_STORE_BYTES 0x40000u
#define PROBLEM_STATE_BYTES 0x20000

/* The files of a context that stay open after their first use; see files.c. */
enum context_file {
    FILE_MEM,
    FILE_PSMAP,
    FILE_MBOX,
    FILE_MBOX_STAT,
    FILE_IBOX,
    FILE_IBOX_NOW, /* the same file without waiting */
    FILE_IBOX_STAT,
    FILE_WBOX,
    FILE_WBOX_NOW,
    FILE_WBOX_STAT,
    FILE_MFC,
    FILE_MSS,
    FILE_COUNT
};

struct spe_context_base_priv {
    int directory;          /* the result of spu_create */
    int files[FILE_COUNT];  /* -1 while not open */
    unsigned int flags;     /* of spe_context_create */
    struct spe_gang_context_base_priv *gang; /* or NULL */
    char *local_store;      /* mapped */
    char *problem_state;    /* mapped, with SPE_MAP_PS; else NULL */
    unsigned int entry;     /* of the loaded program */
    volatile int running;   /* active calls of spe_context_run */
    pthread_mutex_t proxy;  /* guards the following fields, for proxy DMA */
    unsigned int tags_used; /* not yet reported to the program as complete */
    unsigned int tags_open; /* not yet known to be complete */
};

/* The state of a context with SPE_EVENTS_ENABLE; otherwise event_private is NULL. See stops.c. */
struct spe_context_event_priv {
    pthread_mutex_t lock;
    int pipe[2];            /* holds one byte while there are stops */
    spe_stop_info_t *stops; /* a ring */
    unsigned int size, first, count;
};

struct spe_gang_context_base_priv {
    char path[64];
    int directory;
    int contexts; /* number of contexts in the gang */
};

/* files.c: return the results of open, read and write, or -1 with errno. */
int context_file(spe_context_ptr_t spe, enum context_file file);
int context_read_word(spe_context_ptr_t spe, enum context_file file, unsigned int *word);
int context_write_once(spe_context_ptr_t spe, const char *name, const void *bytes, unsigned int n, long offset);
void context_close_files(struct spe_context_base_priv *context);

/* Whether problem-state registers may be used directly: they are mapped, and the context runs. A context that
 * does not run may have no registers, and a load would wait until the context runs. */
int registers_usable(spe_context_ptr_t spe);
#define REGISTER(spe, area, type) ((volatile type *)((spe)->base_private->problem_state + (area)))
#define MSSYNC_AT 0x00000
#define MFC_COMMAND_AT 0x03000
#define CONTROL_AT 0x04000
#define SIG_NOTIFY_1_AT 0x14000
#define SIG_NOTIFY_2_AT 0x1c000

/* Keeps accesses to registers in order. */
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
/* Calls `segment` for each segment to be loaded: `stored` bytes at `from`, then zeros up to `size`. */
typedef int (*spu_segment)(void *closure, unsigned int address, const void *from, unsigned int stored,
                           unsigned int size);
int spu_image_segments(const struct spu_image *image, spu_segment segment, void *closure);
/* Finds the section `name`. Returns 0 if it does not exist. */
int spu_image_section(const struct spu_image *image, const char *name, unsigned int *address, unsigned int *size);

/* stop.c: interprets the result of spu_run. Fills `info`, and returns the result of spe_context_run. */
int stop_decode(int status, int error, unsigned int event, spe_stop_info_t *info);
#define STOPPED_BY_STOP(status) (((status) & SPE_SPU_STOPPED_BY_STOP) != 0)
#define STOP_CODE(status) ((unsigned int)(status) >> 16 & 0x3fff)

/* stops.c */
int stops_create(spe_context_ptr_t spe);
void stops_destroy(spe_context_ptr_t spe);
void stops_push(spe_context_ptr_t spe, const spe_stop_info_t *info);

/* events.c: removes the registrations of a destroyed context. */
void events_forget(spe_context_ptr_t spe);

/* proxy.c: completed tag groups that have not been reported to the program yet. The kernel reports
 * several at once, even if the program asked for one. */
unsigned int proxy_untold(spe_context_ptr_t spe);

/* callbacks.c: carries out the library call of a stop. `address` is where the word after the stop is. */
#define FIRST_CALLBACK 0x2100
#define CALLBACK_COUNT 256
int callback_run(spe_context_ptr_t spe, unsigned int callnum, unsigned int address);

/* calls/: the default handlers, which are called like a program's own handlers. */
int call_c99(void *local_store, unsigned int address);
int call_posix1(void *local_store, unsigned int address);
int call_ea(void *local_store, unsigned int address);

#endif
