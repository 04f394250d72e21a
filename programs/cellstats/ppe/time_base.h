/* The PPE's clock: the time base, which ticks as often as the SPEs' decrementers do. */
#ifndef TIME_BASE_H
#define TIME_BASE_H

#include <stdint.h>

/* In ticks, since some moment. */
static inline uint64_t time_base(void)
{
    return __builtin_ppc_get_timebase();
}

/* How often it ticks, as Linux says in /proc/cpuinfo. */
double ns_per_tick(void);

#endif
