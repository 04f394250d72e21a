/* Library calls for effective addresses: SPE programs request memory of the PPE program.
 *
 * Sizes and addresses are doublewords.
 */
#include "call.h"

#include <stdlib.h>

enum { CALLOC = 1, FREE, MALLOC, REALLOC, POSIX_MEMALIGN };

static size_t size(const struct call *call, int nth)
{
    unsigned long long bytes = doubleword(call, nth);

    return bytes > (size_t)-1 ? (size_t)-1 : (size_t)bytes;
}

static int posix_memalign_ea(const struct call *call)
{
    void **place = (void **)pointer(call, 0, sizeof *place);
    void *block;
    int error = place ? posix_memalign(&block, size(call, 1), size(call, 2)) : EFAULT;

    if (!error)
        *place = block;
    return error;
}

int call_ea(void *local_store, unsigned int address)
{
    unsigned int behind = word_behind(local_store, address);
    struct call call = {local_store, behind & 0xffffff};
    void *block = NULL;

    switch (behind >> 24) {
    case CALLOC:
        block = calloc(size(&call, 0), size(&call, 1));
        break;
    case FREE:
        free((void *)size(&call, 0));
        answer_doubleword(&call, 0, 0);
        return 0;
    case MALLOC:
        block = malloc(size(&call, 0));
        break;
    case REALLOC:
        block = realloc((void *)size(&call, 0), size(&call, 1));
        break;
    case POSIX_MEMALIGN:
        answer(&call, posix_memalign_ea(&call), 0);
        return 0;
    default:
        answer_doubleword(&call, 0, ENOSYS);
        return 0;
    }
    answer_doubleword(&call, (unsigned long)block, block ? 0 : ENOMEM);
    return 0;
}
