/* The PPE's clock: the time base, which has the same frequency as the SPEs' decrementers. */
#ifndef TIME_BASE_H
#define TIME_BASE_H

#include <stdint.h>

/* The time base in ticks, from an arbitrary origin. */
static inline uint64_t time_base(void)
{
    return __builtin_ppc_get_timebase();
}

/* The length of a tick, from the frequency in Linux's /proc/cpuinfo. */
double ns_per_tick(void);

#endif
