/* _min_vec_int4 of <libmisc.h>. */
#include <libmisc_inline.h>
