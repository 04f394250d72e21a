/* Runs cache_spu on words of main memory, which hold their own numbers at first, and prints the words that were
 * changed. */
#include <libspe2.h>
#include <stdio.h>

#include "operations.h"

extern spe_program_handle_t cache_spu;

static unsigned int words[WORDS] __attribute__((aligned(128)));

int main(void)
{
    spe_context_ptr_t spe = spe_context_create(0, NULL);
    unsigned int entry = SPE_DEFAULT_ENTRY, n;

    for (n = 0; n < WORDS; n++)
        words[n] = n;
    if (!spe || spe_program_load(spe, &cache_spu) || spe_context_run(spe, &entry, 0, words, NULL, NULL))
        return 1;
    for (n = 0; n < WORDS; n++)
        if (words[n] != n)
            printf("%u %u\n", n, words[n]);
    return spe_context_destroy(spe);
}
