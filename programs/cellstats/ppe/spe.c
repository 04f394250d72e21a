#include "spe.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

#define PAGE_BYTES 4096

/* The SPE side (spe/), linked into this program. */
extern spe_program_handle_t cellstats_spe;

void create_spe(struct spe *spe, unsigned int flags)
{
    spe->context = spe_context_create(flags, NULL);
    if (spe->context == NULL)
        fail_call("spe_context_create");
    if (spe_program_load(spe->context, &cellstats_spe) != 0)
        fail_call("spe_program_load");
}

static void *run(void *argument)
{
    struct spe *spe = argument;
    unsigned int entry = SPE_DEFAULT_ENTRY;
    spe_stop_info_t stop;

    if (spe_context_run(spe->context, &entry, 0, spe->block, NULL, &stop) < 0)
        fail_call("spe_context_run");
    if (stop.stop_reason != SPE_EXIT || stop.result.spe_exit_code != 0)
        fail("an SPE's program ended at 0x%x for reason %u", entry, stop.stop_reason);
    return NULL;
}

void start_spe(struct spe *spe)
{
    int error = pthread_create(&spe->thread, NULL, run, spe);

    if (error != 0)
        fail("pthread_create: %s", strerror(error));
}

void join_spe(struct spe *spe)
{
    int error = pthread_join(spe->thread, NULL);

    if (error != 0)
        fail("pthread_join: %s", strerror(error));
}

void destroy_spe(struct spe *spe)
{
    if (spe_context_destroy(spe->context) != 0)
        fail_call("spe_context_destroy");
}

void send_message(struct spe *spe, unsigned int message)
{
    if (spe_in_mbox_write(spe->context, &message, 1, SPE_MBOX_ALL_BLOCKING) != 1)
        fail_call("spe_in_mbox_write");
}

unsigned int receive_message(struct spe *spe)
{
    unsigned int message = 0;

    while (spe_out_mbox_status(spe->context) == 0)
        ;
    if (spe_out_mbox_read(spe->context, &message, 1) != 1)
        fail_call("spe_out_mbox_read");
    return message;
}

void *allocate_memory(uint64_t bytes)
{
    void *memory;

    if (bytes > SIZE_MAX || posix_memalign(&memory, PAGE_BYTES, (size_t)bytes) != 0)
        fail("there are no %llu bytes of memory for buffers; give a smaller -b, -t or -N",
             (unsigned long long)bytes);
    memset(memory, 0, (size_t)bytes);
    return memory;
}
