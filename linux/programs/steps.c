/* Carries out steps on an SPE's channels, as programs/tests/steps.c does, on behalf of a Linux program.
 *
 *     cellstats run linux/programs/steps.elf FILE ADDRESS BLOCK
 *
 * FILE is the executable of programs/tests/steps.c, ADDRESS the local-store address of its block `steps`, and BLOCK a
 * file with that block. The bases in the block become the addresses of the SPE's registers and of a buffer.
 *
 * Exit status: that of the SPE program; 255 if it did not exit.
 */
#include "threads.h"

#include <stdint.h>
#include <string.h>

enum { OWN_HIGH = 1, OWN_LOW, MEMORY_HIGH, MEMORY_LOW };

static char buffer[4096] __attribute__((aligned(128)));

static void set(volatile uint32_t *bases, int high, void *address)
{
    bases[high] = (uint32_t)((uint64_t)(uintptr_t)address >> 32);
    bases[high + 1] = (uint32_t)(uintptr_t)address;
}

int main(int argc, char **argv)
{
    unsigned int entry = SPE_DEFAULT_ENTRY;
    static uint32_t block[4096];
    volatile uint32_t *place;
    spe_program_handle_t *program;
    spe_context_ptr_t spe;
    spe_stop_info_t stop;
    size_t words, n;
    FILE *file;

    CHECK(argc == 4);
    file = fopen(argv[3], "r");
    CHECK(file != NULL);
    words = fread(block, 4, sizeof block / 4, file);
    fclose(file);
    program = spe_image_open(argv[1]);
    CHECK(program != NULL);
    spe = loaded(program, SPE_MAP_PS);
    /* The kernel gives the buffer its page now, and not while the SPE waits for it. */
    memset(buffer, 0, sizeof buffer);
    set(block, OWN_HIGH, spe_ps_area_get(spe, SPE_MSSYNC_AREA));
    set(block, MEMORY_HIGH, buffer);
    place = (volatile uint32_t *)((char *)spe_ls_area_get(spe) + strtoul(argv[2], NULL, 0));
    for (n = 0; n < words; n++)
        place[n] = block[n];
    CHECK(spe_context_run(spe, &entry, 0, NULL, NULL, &stop) >= 0);
    return stop.stop_reason == SPE_EXIT ? stop.result.spe_exit_code : 255;
}
