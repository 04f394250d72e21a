/* _min_vec_int3 of <libmisc.h>. */
#include <libmisc_inline.h>
