/* SPE Runtime Management Library, version 2: runs SPE programs from a Linux program on the PPE.
 *
 * This is CellStats' own implementation of the published interface, on top of the system calls
 * spu_create(2) and spu_run(2) and the files of spufs(7). Functions that return an int return -1 on
 * failure, and functions that return a pointer return NULL; errno has the reason. `ESRCH` always means an
 * unknown context, gang or event handler, and `EINVAL` an invalid argument. Errors of the kernel are passed
 * on unchanged.
 */
#ifndef LIBSPE2_H
#define LIBSPE2_H

#include <errno.h>
#include <stdio.h>

#include "libspe2-types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Contexts and gangs. The `flags` of a context are SPE_CFG_SIGNOTIFY1_OR, ..., SPE_NOSCHED. A neighbour must
 * belong to the same gang. The kernel puts the new context beside its neighbour if possible. A gang can be
 * destroyed after its contexts. */
spe_context_ptr_t spe_context_create(unsigned int flags, spe_gang_context_ptr_t gang);
spe_context_ptr_t spe_context_create_affinity(unsigned int flags, spe_context_ptr_t affinity_neighbor,
                                              spe_gang_context_ptr_t gang);
int spe_context_destroy(spe_context_ptr_t spe);
spe_gang_context_ptr_t spe_gang_context_create(unsigned int flags);
int spe_gang_context_destroy(spe_gang_context_ptr_t gang);

/* Programs: maps an ELF file of the SPU, and copies it into a context's local store. */
spe_program_handle_t *spe_image_open(const char *filename);
int spe_image_close(spe_program_handle_t *program);
int spe_program_load(spe_context_ptr_t spe, spe_program_handle_t *program);

/* Runs a context in the calling thread until its program stops for a reason other than a library call.
 * Starts at *entry (SPE_DEFAULT_ENTRY: the program's entry), and stores the address of the next
 * instruction there. The program finds `spe`, `argp` and `envp` in $3, $4 and $5. Returns 0 after an exit,
 * the code after a stop with a user-defined code, and otherwise -1. *stopinfo, unless NULL, receives the
 * details. */
int spe_context_run(spe_context_ptr_t spe, unsigned int *entry, unsigned int runflags, void *argp,
                    void *envp, spe_stop_info_t *stopinfo);

/* Reads the oldest unread stop of a context with SPE_EVENTS_ENABLE. Does not wait: returns -1 with EAGAIN if
 * there is no such stop. */
int spe_stop_info_read(spe_context_ptr_t spe, spe_stop_info_t *stopinfo);

/* Events of contexts with SPE_EVENTS_ENABLE (otherwise ENOTSUP). Waits up to `timeout` milliseconds (-1:
 * for ever). Returns the number of entries in `events`, or 0 after the timeout. */
spe_event_handler_ptr_t spe_event_handler_create(void);
int spe_event_handler_destroy(spe_event_handler_ptr_t evhandler);
int spe_event_handler_register(spe_event_handler_ptr_t evhandler, spe_event_unit_t *event);
int spe_event_handler_deregister(spe_event_handler_ptr_t evhandler, spe_event_unit_t *event);
int spe_event_wait(spe_event_handler_ptr_t evhandler, spe_event_unit_t *events, int max_events, int timeout);

/* Proxy DMA: transfers between main memory and a local store that the PPE requests from the MFC. Sizes
 * are 1, 2, 4, 8 or n times 16 bytes, up to 16 KB. Both addresses must have the same alignment. Tags are
 * 0 to 15. */
int spe_mfcio_put(spe_context_ptr_t spe, unsigned int ls, void *ea, unsigned int size, unsigned int tag,
                  unsigned int tid, unsigned int rid);
int spe_mfcio_putb(spe_context_ptr_t spe, unsigned int ls, void *ea, unsigned int size, unsigned int tag,
                   unsigned int tid, unsigned int rid);
int spe_mfcio_putf(spe_context_ptr_t spe, unsigned int ls, void *ea, unsigned int size, unsigned int tag,
                   unsigned int tid, unsigned int rid);
int spe_mfcio_get(spe_context_ptr_t spe, unsigned int ls, void *ea, unsigned int size, unsigned int tag,
                  unsigned int tid, unsigned int rid);
int spe_mfcio_getb(spe_context_ptr_t spe, unsigned int ls, void *ea, unsigned int size, unsigned int tag,
                   unsigned int tid, unsigned int rid);
int spe_mfcio_getf(spe_context_ptr_t spe, unsigned int ls, void *ea, unsigned int size, unsigned int tag,
                   unsigned int tid, unsigned int rid);

/* Reads which tag groups in `mask` (0: all groups used since they last completed) have completed. */
int spe_mfcio_tag_status_read(spe_context_ptr_t spe, unsigned int mask, unsigned int behavior,
                              unsigned int *tag_status);

/* Mailboxes, named by the SPU's view of their direction. Read and write calls return the number of
 * entries transferred. Status calls return the number of waiting entries (out) or free entries (in). */
int spe_out_mbox_read(spe_context_ptr_t spe, unsigned int *mbox_data, int count);
int spe_out_mbox_status(spe_context_ptr_t spe);
int spe_in_mbox_write(spe_context_ptr_t spe, unsigned int *mbox_data, int count, unsigned int behavior);
int spe_in_mbox_status(spe_context_ptr_t spe);
int spe_out_intr_mbox_read(spe_context_ptr_t spe, unsigned int *mbox_data, int count, unsigned int behavior);
int spe_out_intr_mbox_status(spe_context_ptr_t spe);

/* Multisource synchronisation. A status of 0 means: all transfers of other units into this local store
 * that were in progress at the start have completed. */
int spe_mssync_start(spe_context_ptr_t spe);
int spe_mssync_status(spe_context_ptr_t spe);

/* Signal notification registers SPE_SIG_NOTIFY_REG_1 and SPE_SIG_NOTIFY_REG_2. */
int spe_signal_write(spe_context_ptr_t spe, unsigned int signal_reg, unsigned int data);

/* The addresses of local store and problem state (only with SPE_MAP_PS) in the PPE program's memory. */
void *spe_ls_area_get(spe_context_ptr_t spe);
int spe_ls_size_get(spe_context_ptr_t spe);
void *spe_ps_area_get(spe_context_ptr_t spe, enum ps_area area);

/* Library calls of SPE programs. A stop with code 0x2100 + callnum, up to 255, calls int handler(void
 * *local_store, unsigned int address). The word after the stop instruction is at `address` in the local
 * store. A return value other than 0 ends the run. Numbers 0, 1 and 5 are in use (C99, POSIX.1, effective
 * addresses); SPE_CALLBACK_UPDATE replaces them. Number 4 never reaches the library, because the kernel
 * handles it. */
int spe_callback_handler_register(void *handler, unsigned int callnum, unsigned int mode);
int spe_callback_handler_deregister(unsigned int callnum);
void *spe_callback_handler_query(unsigned int callnum);

/* The number of SPEs or nodes, by SPE_COUNT_..., at one node (-1: in the machine). */
int spe_cpu_info_get(int info_requested, int cpu_node);

#ifdef __cplusplus
}
#endif

#endif
