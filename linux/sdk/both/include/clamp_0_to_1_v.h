/* _clamp_0_to_1_v of <libmisc.h>. */
#include <libmisc_inline.h>
