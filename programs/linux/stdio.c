/* Standard input and output of an SPE program: printf, files and scanf, all carried out by the PPE.
 *
 *     echo "Ada 36" | cellstats run programs/linux/stdio.elf
 *
 * The SPE prints numbers and text, reads a name and a number from standard input (if there are any), and
 * writes lines to a file that it reads again by fgets and removes. The PPE prints before and after: all
 * lines are in one order, for both sides have one stream.
 *
 * Exit status: what the SPE found wrong, 0 if nothing; 1 if it did not exit.
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
