/* _clamp_minus1_to_1_v of <libmisc.h>. */
#include <libmisc_inline.h>
