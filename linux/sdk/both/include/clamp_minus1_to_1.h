/* _clamp_minus1_to_1 of <libmisc.h>. */
#include <libmisc_inline.h>
