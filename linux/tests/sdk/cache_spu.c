/* Does the operations of "operations.h", which test_cache_api.py writes, on a cache of four sets of four
 * lines. */
#include <stdio.h>

#include "operations.h"

#define CACHE_STATS
#define CACHE_READ_X4
#define CACHE_NAME tested
#define CACHED_TYPE unsigned int
#define CACHE_TYPE CACHE_TYPE_RW
#define CACHE_LOG2NSETS 2
#include <cache-api.h>

/* A second cache in the same program, with the defaults of the header. */
#define CACHE_NAME other
#define CACHED_TYPE float
#define CACHE_TYPE 0
#include <cache-api.h>

enum { READ, WRITE, POINTER, TOUCH, LOCK, UNLOCK, FLUSH, FOUR };

static const struct {
    unsigned short operation, word;
    unsigned int value;
} operations[] = {OPERATIONS};

int main(unsigned long long speid, unsigned long long words)
{
    unsigned int n, sum = 0, *pointer;
    vec_uint4 eas;
    union {
        unsigned int word;
        float number;
    } same;

    (void)speid;
    for (n = 0; n < sizeof operations / sizeof *operations; n++) {
        unsigned long long ea = words + 4 * operations[n].word;
        unsigned int low = (unsigned int)ea;

        switch (operations[n].operation) {
        case READ:
            /* Some programs give pointers of the PPE. */
            sum = sum * 31 + cache_rd(tested, (unsigned int *)low);
            break;
        case WRITE:
            cache_wr(tested, ea, operations[n].value);
            break;
        case POINTER:
            *cache_rw(tested, ea) += operations[n].value;
            break;
        case TOUCH:
            pointer = cache_touch(tested, ea);
            cache_wait(tested, pointer);
            sum = sum * 31 + *pointer;
            break;
        case LOCK:
            cache_lock(tested, cache_rw(tested, ea));
            break;
        case UNLOCK:
            cache_unlock(tested, cache_rw(tested, ea));
            break;
        case FLUSH:
            cache_flush(tested);
            break;
        case FOUR:
            eas = (vec_uint4){low, low + 4, low + 512, low + 1024};
            sum = sum * 31 + spu_extract(cache_rd_x4(tested, eas), 3);
            break;
        }
    }
    same.number = cache_rd(other, words);
    printf("sum %u, first word %u\n", sum, same.word);
    cache_pr_stats(tested);
    return 0;
}
