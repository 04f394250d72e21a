/* _clamp_0_to_1 of <libmisc.h>. */
#include <libmisc_inline.h>
