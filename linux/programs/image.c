/* Runs an SPU executable from a file.
 *
 *     cellstats run linux/programs/image.elf FILE [ARGP [ENVP]]
 *
 * Example arguments: linux/programs/hello_spu.elf 0 1. The file must be executable. ARGP and ENVP are the numbers
 * that the program's main receives as its second and third argument.
 *
 * Exit status: that of the SPE program, 1 if it did not exit, or 2 if it cannot run, with a line that says why.
 */
#include "threads.h"

static const char *reason(unsigned int stop_reason)
{
    static const char *const REASONS[] = {
        [SPE_EXIT] = "exit",
        [SPE_STOP_AND_SIGNAL] = "a stop with a code of its own",
        [SPE_RUNTIME_ERROR] = "a runtime error",
        [SPE_RUNTIME_EXCEPTION] = "a runtime exception",
        [SPE_RUNTIME_FATAL] = "an error of the operating system",
        [SPE_CALLBACK_ERROR] = "a library call that failed",
        [SPE_ISOLATION_ERROR] = "an error of isolation",
    };

    return stop_reason < sizeof REASONS / sizeof REASONS[0] && REASONS[stop_reason] ? REASONS[stop_reason] : "?";
}

int main(int argc, char **argv)
{
    void *argp = argc > 2 ? (void *)strtoul(argv[2], NULL, 0) : NULL;
    void *envp = argc > 3 ? (void *)strtoul(argv[3], NULL, 0) : NULL;
    unsigned int entry = SPE_DEFAULT_ENTRY;
    spe_program_handle_t *program;
    spe_context_ptr_t spe;
    spe_stop_info_t stop;

    if (argc < 2) {
        fprintf(stderr, "image: which SPU executable? Give its file\n");
        return 2;
    }
    program = spe_image_open(argv[1]);
    if (!program) {
        fprintf(stderr, "image: %s: %s\n", argv[1], strerror(errno));
        return 2;
    }
    spe = loaded(program, 0);
    if (spe_context_run(spe, &entry, 0, argp, envp, &stop) != 0) {
        fprintf(stderr, "image: %s ended by %s (%d) at 0x%x\n", argv[1], reason(stop.stop_reason),
                stop.result.spe_exit_code, entry);
        return 1;
    }
    CHECK(spe_context_destroy(spe) == 0);
    CHECK(spe_image_close(program) == 0);
    return stop.result.spe_exit_code;
}
