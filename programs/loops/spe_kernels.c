/* Loops of SPU instructions whose times on a PlayStation 3 are public.
 *
 *     cellstats run programs/loops/spe_kernels.elf KERNEL [TURNS]
 *
 * Prints KERNEL, TURNS and the duration of these turns in ticks of the SPE's decrementer. KERNEL is
 *
 *     reciprocal-lnop  reciprocals and reciprocal roots, each instruction beside an lnop
 *     reciprocal-nop   the same with six nop among the lnop
 *     estimate-chain   frest, fi, fnms and fma that wait for each other
 *     integers         seven operations on integers on each of 64 vectors, which stay in the local store
 *     floats           the same with floating point, one of them in double precision
 *     multiply-adds    768 fma that wait for nothing, then ai, hbrr, cgt and brnz
 *
 * The first two are cellmark's (papers/cellmark2026/claims.toml), before and after its correction. In the others, which
 * are SpuTest's (papers/sputest2024/claims.toml) and CorePy's (papers/corepy2007/claims.toml), each of six SPEs does what
 * one does here.
 *
 * Exit status: 0, or 2 if the arguments are wrong.
 */
#include "../../linux/programs/threads.h"

#include "spe_kernels.h"

/* For so many turns the decrementer, of 32 bits, does not wrap. */
#define TURNS_MAX 1000000

extern spe_program_handle_t spe_kernels_spu;

static const struct {
    const char *name;
    unsigned int turns;
} kernels[KERNELS] = {
    [RECIPROCAL_LNOP] = { "reciprocal-lnop", 4000 },
    [RECIPROCAL_NOP] = { "reciprocal-nop", 4000 },
    [ESTIMATE_CHAIN] = { "estimate-chain", 100000 },
    [INTEGERS] = { "integers", 400 },
    [FLOATS] = { "floats", 400 },
    [MULTIPLY_ADDS] = { "multiply-adds", 4000 },
};

int main(int argc, char **argv)
{
    unsigned int kernel = 0;
    struct spe_thread thread;
    struct task *task;
    long turns = 0;
    char *end = "";

    while (argc > 1 && kernel < KERNELS && strcmp(argv[1], kernels[kernel].name))
        kernel++;
    if (argc > 1 && kernel < KERNELS)
        turns = argc > 2 ? strtol(argv[2], &end, 10) : (long)kernels[kernel].turns;
    if (argc > 3 || *end || turns < 1 || turns > TURNS_MAX) {
        fprintf(stderr, "spe_kernels: give reciprocal-lnop, reciprocal-nop, estimate-chain, integers, floats or "
                        "multiply-adds, then perhaps a number of turns from 1 to %d\n", TURNS_MAX);
        return 2;
    }
    task = lines(sizeof *task);
    *task = (struct task){ .kernel = kernel, .turns = turns };
    start_spe(&thread, &spe_kernels_spu, 0, task, NULL);
    CHECK(exit_status(&thread) == 0);
    printf("%s %u %u\n", argv[1], task->turns, task->ticks);
    return 0;
}
