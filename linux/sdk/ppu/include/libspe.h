/* SPE threads of version 1 of the library (SDK 1.x), on top of version 2.
 *
 * An SPE thread is a context and a thread that runs it. Threads belong to groups; a group may report events.
 * A failing function returns -1 or NULL and sets errno: ESRCH for an unknown thread or group, EINVAL for an
 * invalid argument, ENOMEM for too many threads. Link with -lspe -lspe2 -lpthread.
 */
#ifndef LIBSPE_H
#define LIBSPE_H

#include "libspe2.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void *speid_t;
typedef void *spe_gid_t;

#define SPE_DEF_GRP 0x00000000
#define MAX_THREADS_PER_GROUP 16

/* A flag of spe_create_thread, besides SPE_CFG_SIGNOTIFY1_OR, SPE_CFG_SIGNOTIFY2_OR and SPE_MAP_PS: argp
 * points to three quadwords for $3 to $5. */
#define SPE_USER_REGS 0x0002

#define SPE_EVENT_MAILBOX 0x0001          /* the interrupt mailbox had an entry: data */
#define SPE_EVENT_STOP 0x0002             /* a stop with a user-defined code: data */
/* SPE_EVENT_TAG_GROUP 0x0004 */          /* tag groups of proxy DMA have completed: data */
#define SPE_EVENT_DMA_ALIGNMENT 0x0008
#define SPE_EVENT_SPE_ERROR 0x0010        /* the word is not an instruction */
#define SPE_EVENT_SPE_DATA_SEGMENT 0x0020
#define SPE_EVENT_SPE_DATA_STORAGE 0x0040
#define SPE_EVENT_SPE_TRAPPED 0x0080      /* a halt */
#define SPE_EVENT_THREAD_EXIT 0x0100      /* the program has exited: data is its status */
#define SPE_EVENT_ERR 0x0200
#define SPE_EVENT_NVAL 0x0400             /* the group does not exist */
#define SPE_EVENT_INVALID_DMA_CMD 0x0800

struct spe_event {
    spe_gid_t gid;      /* group whose events are requested */
    int events;         /* requested events */
    int revents;        /* the event that happened, or 0 */
    speid_t speid;      /* thread of the event */
    unsigned long data; /* data of the event */
};

struct spe_ucontext {
    unsigned int gprs[128][4];
    unsigned int fpcr[4];
    unsigned int decr;
    unsigned int decr_status;
    unsigned int npc;
    unsigned int tag_mask;
    unsigned int event_mask;
    unsigned int srr0;
    unsigned int _reserved[2];
    void *ls;
};

/* Groups. Policy and priority are checked and stored, but have no effect: realtime priorities are 1 to 99,
 * others 0 to 99. A thread without a group (SPE_DEF_GRP) gets one of its own, with the attributes of
 * spe_group_defaults. A destroyed group disappears with its last thread. spe_group_max is the number of SPEs;
 * a group holds MAX_THREADS_PER_GROUP threads. */
spe_gid_t spe_create_group(int policy, int priority, int spe_events);
int spe_destroy_group(spe_gid_t spe_gid);
int spe_group_defaults(int policy, int priority, int spe_events);
int spe_group_max(spe_gid_t spe_gid);
int spe_get_policy(spe_gid_t gid);
int spe_get_priority(spe_gid_t gid);
int spe_set_priority(spe_gid_t gid, int priority);
int spe_get_threads(spe_gid_t gid, speid_t *spe_ids);
int spe_count_physical_spes(void);

/* Threads. spe_wait sets the status as waitpid does: WIFEXITED(*status) and so on. With WNOHANG it returns 0 and sets
 * the status to 0 if the thread goes on. It fails with EAGAIN if somebody else waits for the thread. A program that
 * stopped with a user-defined code waits for spe_kill(speid, SIGCONT); WUNTRACED reports it. In a group without events,
 * such a stop ends the thread like SIGILL. A halt ends it like SIGABRT. */
speid_t spe_create_thread(spe_gid_t gid, spe_program_handle_t *handle, void *argp, void *envp,
                          unsigned long mask, int flags);
int spe_wait(speid_t speid, int *status, int options);
int spe_kill(speid_t speid, int sig);
spe_gid_t spe_get_group(speid_t speid);
void *spe_get_ls(speid_t speid);
void *spe_get_ps_area(speid_t speid, enum ps_area area);
int spe_set_app_data(speid_t speid, void *data);
int spe_get_app_data(speid_t speid, void **p_data);

/* Fills the entries whose events have happened. The data of an error is the number that version 2 gives it. Fails with
 * EINVAL before the first group. Returns their number, or 0 after `timeout` milliseconds.
 * A group without events (spe_events is 0) reports mailboxes and tag groups, but not the stops and ends
 * of its threads. */
int spe_get_event(struct spe_event *pevents, int nevents, int timeout);

spe_program_handle_t *spe_open_image(const char *filename);
int spe_close_image(spe_program_handle_t *program_handle);

int spe_write_in_mbox(speid_t speid, unsigned int data);
int spe_stat_in_mbox(speid_t speid);
unsigned int spe_read_out_mbox(speid_t speid);
int spe_stat_out_mbox(speid_t speid);
int spe_stat_out_intr_mbox(speid_t speid);
int spe_write_signal(speid_t speid, unsigned int signal_reg, unsigned int data);

int spe_mfc_put(speid_t spe, unsigned src, void *dst, unsigned size, unsigned short tag, unsigned char tid,
                unsigned char rid);
int spe_mfc_putf(speid_t spe, unsigned src, void *dst, unsigned size, unsigned short tag, unsigned char tid,
                 unsigned char rid);
int spe_mfc_putb(speid_t spe, unsigned src, void *dst, unsigned size, unsigned short tag, unsigned char tid,
                 unsigned char rid);
int spe_mfc_get(speid_t spe, unsigned dst, void *src, unsigned size, unsigned short tag, unsigned char tid,
                unsigned char rid);
int spe_mfc_getf(speid_t spe, unsigned dst, void *src, unsigned size, unsigned short tag, unsigned char tid,
                 unsigned char rid);
int spe_mfc_getb(speid_t spe, unsigned dst, void *src, unsigned size, unsigned short tag, unsigned char tid,
                 unsigned char rid);
int spe_mfc_read_tag_status_all(speid_t speid, unsigned int mask);
int spe_mfc_read_tag_status_any(speid_t speid, unsigned int mask);
int spe_mfc_read_tag_status_immediate(speid_t speid, unsigned int mask);

/* These functions were never implemented: they fail with ENOSYS. */
int spe_get_affinity(speid_t speid, unsigned long *mask);
int spe_set_affinity(speid_t speid, unsigned long mask);
int spe_get_context(speid_t speid, struct spe_ucontext *uc);
int spe_set_context(speid_t speid, struct spe_ucontext *uc);

#ifdef __cplusplus
}
#endif

#endif
