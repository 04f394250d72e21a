/* Runs COUNT contexts of each SPE program that an argument KIND:COUNT names, one after another or all at once.
 *
 *     contexts [together] KIND:COUNT...
 *
 * The context's number among its kind is the first argument of its main. The program `ring_spu` gets the address
 * of the signal register of the next context, whose program it runs, too.
 */
#include <libspe2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"

#define CONTEXTS_MAX 64

extern spe_program_handle_t exits_spu, stops_spu, ring_spu, stack_spu, stack_checked_spu;

static const struct {
    const char *name;
    spe_program_handle_t *program;
} kinds[] = {
    {"exits", &exits_spu},           {"stops", &stops_spu}, {"stack", &stack_spu},
    {"checked", &stack_checked_spu}, {"ring", &ring_spu},   {"never", &ring_spu},
};

static struct job jobs[CONTEXTS_MAX] __attribute__((aligned(128)));
static spe_context_ptr_t spes[CONTEXTS_MAX];
static pthread_t threads[CONTEXTS_MAX];

static void *run(void *job)
{
    unsigned int entry = SPE_DEFAULT_ENTRY;
    spe_stop_info_t stop;

    spe_context_run(spes[(struct job *)job - jobs], &entry, 0, job, NULL, &stop);
    return NULL;
}

/* The program of an argument KIND:COUNT. */
static spe_program_handle_t *of_kind(const char *argument)
{
    const int last = sizeof(kinds) / sizeof(kinds[0]) - 1;
    int n = 0;

    while (n < last && strncmp(argument, kinds[n].name, strlen(kinds[n].name)) != 0)
        n++;
    return kinds[n].program;
}

int main(int argc, char **argv)
{
    int together = argc > 1 && strcmp(argv[1], "together") == 0, n, count = 0;

    for (n = 1 + together; n < argc; n++) {
        char *colon = strchr(argv[n], ':');
        int first = count, many = atoi(colon + 1);
        spe_program_handle_t *program = of_kind(argv[n]);

        for (; count < first + many; count++) {
            spes[count] = spe_context_create(SPE_MAP_PS, NULL);
            spe_program_load(spes[count], program);
            jobs[count].number = count - first;
            jobs[count].count = many;
            jobs[count].begins = strncmp(argv[n], "ring", 4) == 0 && count == first + many - 1;
            if (!together) {
                run(&jobs[count]);
                spe_context_destroy(spes[count]);
            }
        }
    }
    if (!together)
        return 0;
    for (n = 0; n < count; n++)
        jobs[n].next = (unsigned long)spe_ps_area_get(spes[(n + 1) % count], SPE_SIG_NOTIFY_1_AREA) + 12;
    for (n = 0; n < count; n++)
        pthread_create(&threads[n], NULL, run, &jobs[n]);
    for (n = 0; n < count; n++)
        pthread_join(threads[n], NULL);
    printf("all %d ended\n", count);
    return 0;
}
