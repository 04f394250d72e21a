/* FUNCTIONs fetchadd to fetchset: the address of each SPE's variable. */
#include "families.h"

void lay_out_atomics(const struct options *options, struct spe *spes)
{
    uint64_t apart = distance_bytes(options, sizeof(uint32_t));
    uintptr_t first = (uintptr_t)allocate_memory((options->spes - 1) * apart + sizeof(uint32_t));
    uint32_t i;

    for (i = 0; i < options->spes; i++) {
        spes[i].block->role = ACTIVE;
        spes[i].block->ea = first + i * apart;
    }
}
