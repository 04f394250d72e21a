/* FUNCTIONs dmalistget and dmalistput: each list is built while the previous one is in progress.
 *
 * Every list is built with MADE_ELEMENTS elements, even if the command uses fewer. The original program's code is
 * not public. The original lists of 2 KB take twice as long as single DMAs, whether they have 1 or 32 elements
 * (abellan2008ps3, 4.2.3), so the original loop does work that does not depend on the number of elements.
 * MADE_ELEMENTS is the longest list of the paper's figure 4; building that many elements takes the additional time.
 */
#include "lists.h"

#define MADE_ELEMENTS 128

/* Space for two lists of the largest size. */
static mfc_list_element_t (*const lists)[2048] = (mfc_list_element_t (*)[2048])LIST_LSA;

static void make_list(mfc_list_element_t *list, const struct control_block *block, uint32_t first)
{
    uint32_t elements = block->list_elements > MADE_ELEMENTS ? block->list_elements : MADE_ELEMENTS;

    for (; elements > 0; elements--, list++) {
        list->notify = 0;
        list->reserved = 0;
        list->size = block->size_bytes;
        list->eal = first;
        first += block->size_bytes;
    }
}

void transfer_lists(const struct control_block *block, uint32_t iterations, uint32_t tag)
{
    int put = block->function == DMALISTPUT;
    volatile void *lsa = (volatile void *)(put ? block->put_lsa : block->get_lsa);
    uint64_t ea = put ? block->put_ea : block->get_ea;
    uint32_t bytes = block->list_elements * sizeof **lists, left = block->batch, which = 0;
    uint32_t command = put ? MFC_PUTL_CMD : MFC_GETL_CMD;

    make_list(lists[which], block, mfc_ea2l(ea));
    for (; iterations > 0; iterations--) {
        spu_mfcdma64(lsa, mfc_ea2h(ea), (uint32_t)lists[which], bytes, tag, command);
        which ^= 1;
        make_list(lists[which], block, mfc_ea2l(ea));
        if (--left == 0) {
            wait_for(tag);
            left = block->batch;
        }
    }
    wait_for(tag);
}
