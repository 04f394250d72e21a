/* _max_float_v of <libmisc.h>. */
#include <libmisc_inline.h>
