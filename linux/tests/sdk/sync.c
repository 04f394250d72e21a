/* SPEs and threads of the PPE share counters, a mutex, a barrier of a condition variable, a lock of readers and
 * writers, and completions of libsync. Prints the counters, which show whether any operation was lost. */
#include <libspe2.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "sync.h"

extern spe_program_handle_t sync_spu;

static struct shared shared __attribute__((aligned(128)));

#define EA(member) ((uintptr_t)&shared.member)

static int get(eaddr_t ea)
{
    return *(volatile int *)(uintptr_t)ea;
}

static void put(eaddr_t ea, int value)
{
    *(volatile int *)(uintptr_t)ea = value;
}

static void *run_on_the_ppe(void *unused)
{
    work((uintptr_t)&shared);
    return unused;
}

static void *run_on_an_spe(void *unused)
{
    spe_context_ptr_t spe = spe_context_create(0, NULL);
    unsigned int entry = SPE_DEFAULT_ENTRY;

    if (!spe || spe_program_load(spe, &sync_spu) || spe_context_run(spe, &entry, 0, &shared, NULL, NULL))
        return &shared;
    return spe_context_destroy(spe) ? &shared : unused;
}

int main(void)
{
    pthread_t threads[WORKERS];
    void *failed;
    int n;

    mutex_init(EA(mutex));
    cond_init(EA(barrier_cond));
    init_completion(EA(all));
    atomic_set(EA(positive), 3);
    for (n = 0; n < WORKERS; n++)
        if (pthread_create(&threads[n], NULL, n < SPES ? run_on_an_spe : run_on_the_ppe, NULL))
            return 1;
    complete_all(EA(all));
    while (atomic_read(EA(turn)) < ROUNDS)
        ;
    for (n = 0; n < WORKERS; n++)
        complete(EA(each));
    for (n = 0; n < WORKERS; n++)
        if (pthread_join(threads[n], &failed) || failed)
            return 2;
#define PRINT(name) printf(#name " %d\n", shared.name.value)
    PRINT(atomic);
    PRINT(sum);
    PRINT(guarded);
    PRINT(tried);
    PRINT(positive);
    PRINT(passed);
    PRINT(late);
    PRINT(torn);
    PRINT(first);
    PRINT(second);
    PRINT(each);
    PRINT(ended);
    return 0;
}
