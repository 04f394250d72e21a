/* Signal notification registers in both modes, written by files, by registers, and by other SPEs.
 *
 *     cellstats run linux/programs/signals.elf
 *
 * First, three writes go to each register before the program runs. In OR mode, the register then has the bits
 * of all writes; in overwrite mode, it has only the bits of the last write. Then the SPEs pass a token in a
 * ring: each SPE signals the next SPE by DMA (sndsig) to its mapped register.
 *
 * Exit status: 0 if all signals were correct, otherwise 1, with a line that names the error.
 */
#include "threads.h"

#include "signals.h"

#define ROUNDS 10

extern spe_program_handle_t signals_spu;

/* The SPE reads its registers after three writes to each. */
static void both_modes(unsigned int flags)
{
    spe_context_ptr_t spe = loaded(&signals_spu, flags);
    struct signals_job *job = lines(sizeof *job);
    struct spe_thread thread;
    unsigned int found, bit;

    for (bit = 1; bit <= 4; bit <<= 1) {
        CHECK(spe_signal_write(spe, SPE_SIG_NOTIFY_REG_1, bit) == 0);
        CHECK(spe_signal_write(spe, SPE_SIG_NOTIFY_REG_2, bit << 4) == 0);
    }
    job->kind = REPORT;
    start_loaded(&thread, spe, job, NULL);
    CHECK(spe_out_intr_mbox_read(spe, &found, 1, SPE_MBOX_ALL_BLOCKING) == 1);
    CHECK(found == (flags & SPE_CFG_SIGNOTIFY1_OR ? 7 : 4));
    CHECK(spe_out_intr_mbox_read(spe, &found, 1, SPE_MBOX_ALL_BLOCKING) == 1);
    CHECK(found == (flags & SPE_CFG_SIGNOTIFY2_OR ? 0x70 : 0x40));
    /* One more write comes while the program runs and waits. */
    CHECK(spe_signal_write(spe, SPE_SIG_NOTIFY_REG_2, 12345) == 0);
    CHECK(spe_out_intr_mbox_read(spe, &found, 1, SPE_MBOX_ALL_BLOCKING) == 1);
    CHECK(found == 12345);
    CHECK(exit_status(&thread) == 0);
    free(job);
}

/* The token is a number that each SPE increments. */
static unsigned int ring(int spes)
{
    struct signals_job *jobs = lines(SPE_THREADS_MAX * sizeof *jobs);
    struct spe_thread threads[SPE_THREADS_MAX];
    spe_context_ptr_t contexts[SPE_THREADS_MAX];
    unsigned int token;
    int rank;

    for (rank = 0; rank < spes; rank++)
        contexts[rank] = loaded(&signals_spu, SPE_MAP_PS);
    for (rank = 0; rank < spes; rank++) {
        spe_sig_notify_1_area_t *next = spe_ps_area_get(contexts[(rank + 1) % spes], SPE_SIG_NOTIFY_1_AREA);

        CHECK(next != NULL);
        jobs[rank].kind = rank == 0 ? FIRST_OF_RING : RING;
        jobs[rank].rounds = ROUNDS;
        jobs[rank].next = (unsigned long)&next->SPU_Sig_Notify_1;
        start_loaded(&threads[rank], contexts[rank], &jobs[rank], NULL);
    }
    CHECK(spe_out_intr_mbox_read(contexts[0], &token, 1, SPE_MBOX_ALL_BLOCKING) == 1);
    for (rank = 0; rank < spes; rank++)
        CHECK(exit_status(&threads[rank]) == 0);
    return token;
}

int main(void)
{
    int spes = spe_cpu_info_get(SPE_COUNT_USABLE_SPES, -1);
    unsigned int token;

    CHECK(spes > 1 && spes <= SPE_THREADS_MAX);
    both_modes(0);
    both_modes(SPE_CFG_SIGNOTIFY1_OR);
    both_modes(SPE_CFG_SIGNOTIFY2_OR | SPE_MAP_PS);
    both_modes(SPE_CFG_SIGNOTIFY1_OR | SPE_CFG_SIGNOTIFY2_OR);
    token = ring(spes);
    printf("a token went %d times round %d SPEs: %u\n", ROUNDS, spes, token);
    return token == 1 + (unsigned int)(ROUNDS * spes) ? 0 : 1;
}
