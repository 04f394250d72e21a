/* SPEs and PPE threads race for one lock line, and record its owners.
 *
 *     cellstats run linux/programs/race.elf
 *
 * The lock is a word, which SPEs take with getllar and putllc, while the PPE takes it with lwarx and stwcx.
 * The owner appends a letter to a text in main memory; an SPE does so by DMA. The lock is first released when
 * all threads are ready. Only the machine's timing decides the order, so each run prints the same text.
 *
 * Exit status: 0 if no letters were lost, 1 if any were.
 */
#include "threads.h"

#include <unistd.h>

#include "race.h"

#define PPE_THREADS 2

extern spe_program_handle_t race_spu;

static struct race *race;

static void *ppe_thread(void *closure)
{
    char letter = (char)(long)closure;
    int n;

    __sync_fetch_and_add(&race->ready[0], 1);
    for (n = 0; n < TURNS; n++) {
        while (__sync_lock_test_and_set(&race->lock[0], 1))
            ;
        race->text[race->length++] = letter;
        __sync_synchronize();
        __sync_lock_release(&race->lock[0]);
    }
    return NULL;
}

static int count(char letter)
{
    unsigned int n;
    int found = 0;

    for (n = 0; n < race->length; n++)
        found += race->text[n] == letter;
    return found;
}

int main(void)
{
    int spes = spe_cpu_info_get(SPE_COUNT_USABLE_SPES, -1), n, right = 0;
    struct spe_thread threads[SPE_THREADS_MAX];
    pthread_t others[PPE_THREADS];

    race = lines(sizeof *race);
    race->lock[0] = 1;
    CHECK(spes > 0 && (spes + PPE_THREADS) * TURNS <= TEXT_BYTES);
    for (n = 0; n < spes; n++)
        start_spe(&threads[n], &race_spu, 0, race, (void *)(long)('a' + n));
    for (n = 0; n < PPE_THREADS; n++)
        CHECK(pthread_create(&others[n], NULL, ppe_thread, (void *)(long)('A' + n)) == 0);
    while (race->ready[0] != (unsigned int)(spes + PPE_THREADS))
        usleep(100);
    __sync_lock_release(&race->lock[0]);
    for (n = 0; n < PPE_THREADS; n++)
        CHECK(pthread_join(others[n], NULL) == 0);
    for (n = 0; n < spes; n++)
        CHECK(exit_status(&threads[n]) == 0);
    for (n = 0; n < spes; n++)
        right += count('a' + n) == TURNS;
    for (n = 0; n < PPE_THREADS; n++)
        right += count('A' + n) == TURNS;
    printf("%.*s\n", (int)race->length, race->text);
    return right == spes + PPE_THREADS ? 0 : 1;
}
