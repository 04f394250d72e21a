/* FUNCTIONs dmaget to dmalistput: the addresses of each SPE's DMAs.
 *
 *     local store   0x4000 or, after two lists, 0xc000   the buffer, the same bytes every time
 *     main memory                                        one buffer that all share, or one for each
 *
 * Between local stores, SPE 0 holds the other buffer. A single SPE moves data within its own local store.
 */
#include "failure.h"
#include "families.h"

#define LOCAL_STORE_BYTES 0x40000
#define BUFFER_LSA LIST_LSA
#define BEHIND_LISTS_LSA (LIST_LSA + 2 * 0x4000)

static uint32_t buffer_lsa(const struct options *options)
{
    return is_list_transfer(options->function) ? BEHIND_LISTS_LSA : BUFFER_LSA;
}

/* The bytes of all buffers, shared or not. */
static uint64_t all_bytes(const struct options *options)
{
    uint64_t bytes = iteration_bytes(options);

    return (options->spes - 1) * distance_bytes(options, bytes) + bytes;
}

static void check_local_store(const struct options *options)
{
    /* A list places every element in a separate quadword. */
    uint32_t elements = options->list_elements > 0 ? options->list_elements : 1;
    uint64_t own = (uint64_t)((options->size_bytes + 15) / 16 * 16) * elements;
    uint64_t held = options->spe_to_spe ? all_bytes(options) : 0;
    uint64_t needed = own > held ? own : held, room = LOCAL_STORE_BYTES - buffer_lsa(options);

    if (needed > room)
        refuse("buffers of %llu bytes do not fit a local store: %llu bytes are free, give a smaller -b, -l,"
               " -t or -N",
               (unsigned long long)needed, (unsigned long long)room);
}

static uint64_t held_buffer(const struct options *options, struct spe *spe)
{
    if (!options->spe_to_spe)
        return (uintptr_t)allocate_memory(all_bytes(options));
    if (spe_ls_area_get(spe->context) == NULL)
        fail_call("spe_ls_area_get");
    return (uintptr_t)spe_ls_area_get(spe->context) + buffer_lsa(options);
}

void lay_out_transfers(const struct options *options, struct spe *spes)
{
    uint64_t first, apart = distance_bytes(options, iteration_bytes(options));
    uint32_t i;

    check_local_store(options);
    first = held_buffer(options, &spes[0]);
    for (i = 0; i < options->spes; i++) {
        struct control_block *block = spes[i].block;

        block->role = options->spe_to_spe && options->spes > 1 && i == 0 ? HOLDER : ACTIVE;
        block->size_bytes = options->size_bytes;
        block->list_elements = options->list_elements;
        block->batch = options->batch;
        block->get_lsa = block->put_lsa = buffer_lsa(options);
        block->get_ea = block->put_ea = first + i * apart;
    }
}
