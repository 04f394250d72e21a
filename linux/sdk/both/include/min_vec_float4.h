/* _min_vec_float4 of <libmisc.h>. */
#include <libmisc_inline.h>
