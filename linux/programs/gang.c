/* A gang of contexts that are neighbours of each other, and contexts that keep their SPE.
 *
 *     cellstats run linux/programs/gang.elf
 *
 * The first context of the gang requests an SPE near the memory. Every further context requests an SPE near
 * the previous context. Impossible requests are refused. All contexts run at once. The program then creates
 * contexts that keep their SPE (SPE_NOSCHED), and isolated contexts, which the kernel refuses.
 *
 * Exit status: 0 if each context was created or refused correctly, otherwise 1, with a line that names the error.
 */
#include "threads.h"

extern spe_program_handle_t hello_spu;

static spe_context_ptr_t member(unsigned int flags, spe_context_ptr_t neighbor, spe_gang_context_ptr_t gang)
{
    spe_context_ptr_t spe = spe_context_create_affinity(flags, neighbor, gang);

    CHECK(spe != NULL && spe_program_load(spe, &hello_spu) == 0);
    return spe;
}

static void refused(unsigned int flags, spe_context_ptr_t neighbor, spe_gang_context_ptr_t gang, int why)
{
    CHECK(spe_context_create_affinity(flags, neighbor, gang) == NULL);
    CHECK(errno == why);
}

static void neighbours(int spes)
{
    spe_gang_context_ptr_t gang = spe_gang_context_create(0), other = spe_gang_context_create(0);
    struct spe_thread threads[SPE_THREADS_MAX];
    spe_context_ptr_t contexts[SPE_THREADS_MAX];
    int n;

    CHECK(gang && other);
    contexts[0] = member(SPE_AFFINITY_MEMORY, NULL, gang);
    refused(SPE_AFFINITY_MEMORY, NULL, gang, EEXIST);
    for (n = 1; n < spes; n++)
        contexts[n] = member(0, contexts[n - 1], gang);
    refused(0, contexts[0], other, ESRCH);
    refused(0, contexts[0], NULL, ESRCH);
    CHECK(spe_gang_context_destroy(gang) == -1 && errno == EAGAIN);
    for (n = 0; n < spes; n++)
        start_loaded(&threads[n], contexts[n], (void *)(long)n, (void *)(long)spes);
    for (n = 0; n < spes; n++)
        CHECK(exit_status(&threads[n]) == n);
    CHECK(spe_gang_context_destroy(gang) == 0 && spe_gang_context_destroy(other) == 0);
}

static void kept_on_their_spes(int spes)
{
    struct spe_thread threads[SPE_THREADS_MAX];
    int n;

    for (n = 0; n < spes; n++)
        start_spe(&threads[n], &hello_spu, SPE_NOSCHED, (void *)(long)n, (void *)(long)spes);
    for (n = 0; n < spes; n++)
        CHECK(exit_status(&threads[n]) == n);
}

int main(void)
{
    int spes = spe_cpu_info_get(SPE_COUNT_USABLE_SPES, 0);

    CHECK(spes > 0 && spes <= SPE_THREADS_MAX);
    neighbours(spes);
    kept_on_their_spes(spes);
    CHECK(spe_context_create(SPE_ISOLATE, NULL) == NULL);
    CHECK(spe_context_create(0x80000000, NULL) == NULL && errno == EINVAL);
    refused(0, NULL, NULL, ESRCH);
    printf("%d neighbours\n", spes);
    return 0;
}
