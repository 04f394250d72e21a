/* Local stores and problem state in the PPE program's memory.
 *
 *     cellstats run linux/programs/mapping.elf
 *
 * The PPE writes into the local store of a program before it starts, and reads the program's results there.
 * Two SPEs pass data from one local store to the other. The PPE also uses the mapped registers of
 * mailboxes, signals, proxy DMA and multisource synchronisation directly, without any call.
 *
 * Exit status: 0 if all data were correct, otherwise 1, with a line that names the error.
 */
#include "threads.h"

#include <cbe_mfc.h>

#include "mapping.h"

extern spe_program_handle_t mapping_spu;

static void refused_without_flag(void)
{
    spe_context_ptr_t spe = loaded(&mapping_spu, 0);

    CHECK(spe_ls_size_get(spe) == 256 * 1024 && spe_ls_area_get(spe) != NULL);
    CHECK(spe_ps_area_get(spe, SPE_CONTROL_AREA) == NULL && errno == EACCES);
    CHECK(spe_context_destroy(spe) == 0);
}

/* The program finds data in its local store without any message. */
static void local_store(void)
{
    spe_context_ptr_t spe = loaded(&mapping_spu, 0);
    volatile unsigned int *block = (volatile unsigned int *)((char *)spe_ls_area_get(spe) + BLOCK_AT);
    struct mapping_job *job = lines(sizeof *job);
    struct spe_thread thread;
    unsigned int n;

    for (n = 0; n < BLOCK_BYTES / 4; n++)
        block[n] = 3 * n;
    ((volatile char *)block)[5] = 0x77;
    job->kind = DOUBLE;
    start_loaded(&thread, spe, job, NULL);
    CHECK(pthread_join(thread.thread, NULL) == 0 && thread.answer == 0);
    for (n = 0; n < BLOCK_BYTES / 4; n++)
        CHECK(block[n] == (n == 1 ? 0x770003u * 2 : 6 * n));
    CHECK(spe_context_destroy(spe) == 0);
    free(job);
}

/* Transfers from one local store to the mapped address of another one. */
static void between_local_stores(void)
{
    struct mapping_job *job = lines(sizeof *job);
    spe_context_ptr_t spe = loaded(&mapping_spu, 0), other = loaded(&mapping_spu, 0);
    unsigned int *from = (unsigned int *)((char *)spe_ls_area_get(spe) + BLOCK_AT);
    char *to = (char *)spe_ls_area_get(other) + BLOCK_AT;
    struct spe_thread thread, second;
    unsigned int n;

    for (n = 0; n < BLOCK_BYTES / 4; n++)
        from[n] = n + 7;
    job[0].kind = SEND;
    job[0].ea = (unsigned long)to;
    start_loaded(&second, other, job, (void *)1);
    start_loaded(&thread, spe, job, NULL);
    CHECK(pthread_join(thread.thread, NULL) == 0 && thread.answer == 0);
    CHECK(spe_in_mbox_write(other, &n, 1, SPE_MBOX_ALL_BLOCKING) == 1);
    CHECK(pthread_join(second.thread, NULL) == 0 && second.answer == 0);
    CHECK(memcmp(from, to, BLOCK_BYTES) == 0);
    CHECK(spe_context_destroy(spe) == 0 && spe_context_destroy(other) == 0);
    free(job);
}

static void proxy_by_registers(volatile spe_mfc_command_area_t *mfc, unsigned long ea)
{
    unsigned int answer;

    do {
        mfc->MFC_LSA = BLOCK_AT;
        mfc->MFC_EAH = 0;
        mfc->MFC_EAL = ea;
        mfc->MFC_Size_Tag = BLOCK_BYTES << 16 | 5;
        mfc->MFC_ClassID_CMD = MFC_PUT_CMD;
        __asm__ __volatile__("sync" : : : "memory");
        answer = mfc->MFC_CMDStatus & 3;
    } while (answer != MFC_PROXY_COMMAND_ENQUEUED);
    mfc->Prxy_QueryMask = 1 << 5;
    __asm__ __volatile__("sync" : : : "memory");
    while ((mfc->Prxy_TagStatus & 1 << 5) == 0)
        ;
}

static void registers(void)
{
    struct mapping_job *job = lines(sizeof *job);
    unsigned int *result = lines(BLOCK_BYTES), n;
    spe_context_ptr_t spe = loaded(&mapping_spu, SPE_MAP_PS);
    volatile spe_spu_control_area_t *control = spe_ps_area_get(spe, SPE_CONTROL_AREA);
    volatile spe_mssync_area_t *mssync = spe_ps_area_get(spe, SPE_MSSYNC_AREA);
    struct spe_thread thread;

    CHECK(control && mssync && spe_ps_area_get(spe, SPE_SIG_NOTIFY_2_AREA));
    CHECK(spe_ps_area_get(spe, (enum ps_area)9) == NULL && errno == EINVAL);
    job->kind = TALK;
    start_loaded(&thread, spe, job, NULL);
    CHECK(_spe_out_mbox_read(control) == HELLO);
    CHECK(control->SPU_Status & 1);
    for (n = 0; n < 8; n++)
        _spe_in_mbox_write(control, n);
    CHECK(_spe_out_mbox_read(control) == 28);
    _spe_sig_notify_2_write(spe_ps_area_get(spe, SPE_SIG_NOTIFY_2_AREA), 0x1234);
    CHECK(_spe_out_mbox_read(control) == 0x1234);
    proxy_by_registers(spe_ps_area_get(spe, SPE_MFC_COMMAND_AREA), (unsigned long)result);
    for (n = 0; n < BLOCK_BYTES / 4; n++)
        CHECK(result[n] == n);
    mssync->MFC_MSSync = 1;
    __asm__ __volatile__("sync" : : : "memory");
    while (mssync->MFC_MSSync)
        ;
    CHECK(spe_mssync_start(spe) == 0);
    while (spe_mssync_status(spe) != 0)
        ;
    _spe_in_mbox_write(control, 0);
    CHECK(exit_status(&thread) == 0);
    free(result);
    free(job);
}

int main(void)
{
    refused_without_flag();
    local_store();
    between_local_stores();
    registers();
    printf("local stores and registers are where they should be\n");
    return 0;
}
