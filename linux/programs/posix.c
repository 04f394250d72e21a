/* POSIX.1 and PPE memory for an SPE program: files by number, directories, time, malloc_ea.
 *
 *     cellstats run linux/programs/posix.elf
 *
 * The SPE creates a directory and files in it, uses them in many ways, and removes them. The SPE then
 * requests memory of the PPE's process, fills it by DMA, and passes the address to the PPE. The PPE
 * checks the memory and frees it.
 *
 * Exit status: 0, or the line number of the SPE's failed check, or 1 if the SPE did not exit or left wrong memory.
 */
#include "threads.h"

#include "posix.h"

extern spe_program_handle_t posix_spu;

int main(void)
{
    unsigned int *report = lines(LINE_BYTES), n;
    struct spe_thread thread;
    const unsigned int *words;
    int status;

    start_spe(&thread, &posix_spu, 0, report, NULL);
    status = exit_status(&thread);
    if (status != 0) {
        printf("posix_spu.c, line %d is not so\n", status);
        return status;
    }
    words = (const unsigned int *)(unsigned long)report[0];
    for (n = 0; n < WORDS; n++)
        CHECK(words[n] == 5 * n);
    free((void *)words);
    printf("files, directories and %d words of the PPE's memory\n", WORDS);
    return 0;
}
