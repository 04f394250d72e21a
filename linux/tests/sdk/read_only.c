/* Stores into a cache that is only read, which the compiler or the linker must refuse. */
#define CACHE_NAME fixed
#define CACHED_TYPE int
#define CACHE_TYPE CACHE_TYPE_RO
#include <cache-api.h>

int main(unsigned long long speid, unsigned long long ea)
{
    (void)speid;
    cache_wr(fixed, ea, 1);
    return cache_rd(fixed, ea);
}
