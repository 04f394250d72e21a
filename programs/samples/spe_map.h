/* The address map of each SPE's local store and registers: 512 KB for each SPE (crates/cell/src/ea.rs).
 *
 * On Linux, a PPE program asks libspe2 for these addresses (spe_ls_area_get, spe_ps_area_get) and passes
 * them on. Here they follow from the SPE's number.
 */
#ifndef SPE_MAP_H
#define SPE_MAP_H

#include <stdint.h>

/* Offsets in a window. The problem-state area begins after 256 KB. */
#define SPU_SIG_NOTIFY_1 (0x40000 + 0x1400c)
#define SPU_SIG_NOTIFY_2 (0x40000 + 0x1c00c)

static inline uint64_t spe_window_ea(uint32_t spe)
{
    return 0x20000000000ull + spe * 0x80000ull;
}

#endif
