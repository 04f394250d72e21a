/* Prints which check of libmisc failed on the PPE, and which on an SPE, as lines of the sources. */
#include <libspe2.h>
#include <stdio.h>

#include "misc.h"

extern spe_program_handle_t misc_spu;

static char memory[65536] __attribute__((aligned(128)));

int main(void)
{
    spe_context_ptr_t spe = spe_context_create(0, NULL);
    unsigned int entry = SPE_DEFAULT_ENTRY;
    spe_stop_info_t stop;

    printf("PPE %d\n", limits_and_extremes());
    if (!spe || spe_program_load(spe, &misc_spu) || spe_context_run(spe, &entry, 0, memory, NULL, &stop))
        return 1;
    return stop.stop_reason != SPE_EXIT;
}
