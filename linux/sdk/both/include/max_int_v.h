/* _max_int_v of <libmisc.h>. */
#include <libmisc_inline.h>
