/* SPE Runtime Management Library, version 2: SPE programs from a Linux program on the PPE.
 *
 * CellStats' own implementation of the published interface, over the system calls spu_create(2) and
 * spu_run(2) and the files of spufs(7). Functions that answer an int give -1, and those that answer
 * a pointer NULL, when they fail; errno says why. `ESRCH` always means a context, gang or event
 * handler that is none; `EINVAL` an argument; what the kernel refuses comes through as it is.
 */
#ifndef LIBSPE2_H
#define LIBSPE2_H

#include <errno.h>
#include <stdio.h>

#include "libspe2-types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Contexts and gangs. `flags` of a context: SPE_CFG_SIGNOTIFY1_OR, ..., SPE_NOSCHED. A neighbour
 * must belong to the same gang; the new context is placed beside it, if the kernel can. A gang can
 * be destroyed when its contexts are. */
spe_context_ptr_t spe_context_create(unsigned int flags, spe_gang_context_ptr_t gang);
spe_context_ptr_t spe_context_create_affinity(unsigned int flags, spe_context_ptr_t affinity_neighbor,
                                              spe_gang_context_ptr_t gang);
int spe_context_destroy(spe_context_ptr_t spe);
spe_gang_context_ptr_t spe_gang_context_create(unsigned int flags);
int spe_gang_context_destroy(spe_gang_context_ptr_t gang);

/* Programs: an ELF file of the SPU is mapped, and copied into a context's local store. */
spe_program_handle_t *spe_image_open(const char *filename);
int spe_image_close(spe_program_handle_t *program);
int spe_program_load(spe_context_ptr_t spe, spe_program_handle_t *program);

/* Runs a context in the calling thread until its program stops for another reason than a library
 * call. Starts at *entry (SPE_DEFAULT_ENTRY: the program's entry) and leaves there where it would
 * go on. The program finds `spe`, `argp` and `envp` in $3, $4 and $5. Answers 0 after an exit, the
 * code after a stop with a user's code, -1 after all else; *stopinfo, if there is one, has the
 * details. */
int spe_context_run(spe_context_ptr_t spe, unsigned int *entry, unsigned int runflags, void *argp,
                    void *envp, spe_stop_info_t *stopinfo);

/* The oldest stop that nobody has read yet, of a context with SPE_EVENTS_ENABLE. Does not wait: -1
 * with EAGAIN if there is none. */
int spe_stop_info_read(spe_context_ptr_t spe, spe_stop_info_t *stopinfo);

/* Events, of contexts with SPE_EVENTS_ENABLE (ENOTSUP without). Waits up to `timeout` milliseconds
 * (-1: for ever); answers how many were put into `events`, 0 if time ran out. */
spe_event_handler_ptr_t spe_event_handler_create(void);
int spe_event_handler_destroy(spe_event_handler_ptr_t evhandler);
int spe_event_handler_register(spe_event_handler_ptr_t evhandler, spe_event_unit_t *event);
int spe_event_handler_deregister(spe_event_handler_ptr_t evhandler, spe_event_unit_t *event);
int spe_event_wait(spe_event_handler_ptr_t evhandler, spe_event_unit_t *events, int max_events, int timeout);

/* DMA that the PPE asks the MFC for, between main memory and a local store. Sizes of 1, 2, 4, 8 or
 * n times 16 bytes, up to 16 KB; both addresses aligned alike; tags 0 to 15. */
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

/* Which tag groups of `mask` (0: all that were used since they last completed) have completed. */
int spe_mfcio_tag_status_read(spe_context_ptr_t spe, unsigned int mask, unsigned int behavior,
                              unsigned int *tag_status);

/* Mailboxes, by the SPU's view of their direction. Reading and writing answer how many entries were
 * moved; the status calls, how many entries wait (out) or how many have room (in). */
int spe_out_mbox_read(spe_context_ptr_t spe, unsigned int *mbox_data, int count);
int spe_out_mbox_status(spe_context_ptr_t spe);
int spe_in_mbox_write(spe_context_ptr_t spe, unsigned int *mbox_data, int count, unsigned int behavior);
int spe_in_mbox_status(spe_context_ptr_t spe);
int spe_out_intr_mbox_read(spe_context_ptr_t spe, unsigned int *mbox_data, int count, unsigned int behavior);
int spe_out_intr_mbox_status(spe_context_ptr_t spe);

/* Multisource synchronisation: all transfers of other units into this local store that were under
 * way at the start have arrived when the status is 0. */
int spe_mssync_start(spe_context_ptr_t spe);
int spe_mssync_status(spe_context_ptr_t spe);

/* Signal notification registers, SPE_SIG_NOTIFY_REG_1 or _2. */
int spe_signal_write(spe_context_ptr_t spe, unsigned int signal_reg, unsigned int data);

/* Where local store and problem state (with SPE_MAP_PS only) lie in the PPE program's memory. */
void *spe_ls_area_get(spe_context_ptr_t spe);
int spe_ls_size_get(spe_context_ptr_t spe);
void *spe_ps_area_get(spe_context_ptr_t spe, enum ps_area area);

/* Library calls of SPE programs: a stop with code 0x2100 + callnum, up to 255, calls
 * int handler(void *local_store, unsigned int address), where the word behind the stop lies at `address` of
 * the local store. What it answers is 0, or ends the run. Numbers 0, 1 and 5 are taken (C99, POSIX.1,
 * effective addresses): SPE_CALLBACK_UPDATE replaces them. 4 never gets here: the kernel has it. */
int spe_callback_handler_register(void *handler, unsigned int callnum, unsigned int mode);
int spe_callback_handler_deregister(unsigned int callnum);
void *spe_callback_handler_query(unsigned int callnum);

/* How many there are, of SPE_COUNT_..., at one node (-1: in all). */
int spe_cpu_info_get(int info_requested, int cpu_node);

#ifdef __cplusplus
}
#endif

#endif
