/* The SPE's DMAs: one after the other, between an address in the local store and an address elsewhere. */
#include "tasks.h"

static mfc_list_element_t *const list = (mfc_list_element_t *)LIST_LSA;

static int is_put(const struct control_block *block)
{
    return block->function == DMAPUT || block->function == DMALISTPUT;
}

void build_list(const struct control_block *block)
{
    uint32_t first = mfc_ea2l(is_put(block) ? block->put_ea : block->get_ea);
    uint32_t i;

    if (block->role != ACTIVE)
        return;
    for (i = 0; i < block->list_elements; i++) {
        list[i].notify = 0;
        list[i].reserved = 0;
        list[i].size = block->size_bytes;
        list[i].eal = first + i * block->size_bytes;
    }
}

void transfer(const struct control_block *block, uint32_t iterations, uint32_t tag)
{
    int put = is_put(block);
    volatile void *lsa = (volatile void *)(put ? block->put_lsa : block->get_lsa);
    uint64_t ea = put ? block->put_ea : block->get_ea;
    uint32_t eah = mfc_ea2h(ea), eal = mfc_ea2l(ea);
    uint32_t size = block->size_bytes, batch = block->batch, left = batch;
    uint32_t command = put ? MFC_PUT_CMD : MFC_GET_CMD;

    if (block->list_elements > 0) {
        eal = (uint32_t)list;
        size = block->list_elements * sizeof *list;
        command |= MFC_LIST_ENABLE;
    }
    for (; iterations > 0; iterations--) {
        spu_mfcdma64(lsa, eah, eal, size, tag, command);
        if (--left == 0) {
            wait_for(tag);
            left = batch;
        }
    }
    wait_for(tag);
}
