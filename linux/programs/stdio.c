/* Standard input and output of an SPE program: printf, files and scanf, all carried out by the PPE.
 *
 *     echo "Ada 36" | cellstats run linux/programs/stdio.elf
 *
 * The SPE prints numbers and text, reads a name and a number from standard input (if there are any), and
 * writes lines to a file, which it reads with fgets and removes. The PPE prints before and after the SPE. All
 * lines appear in order, because both sides share one stream.
 *
 * Exit status: 0, or the line number of the SPE's failed check, or 1 if the SPE did not exit.
 */
#include "threads.h"

extern spe_program_handle_t stdio_spu;

int main(void)
{
    struct spe_thread thread;

    printf("the PPE begins\n");
    start_spe(&thread, &stdio_spu, 0, NULL, NULL);
    if (exit_status(&thread) != 0)
        return thread.stop.result.spe_exit_code;
    printf("the PPE ends\n");
    return 0;
}
