/* _min_vec_float3 of <libmisc.h>. */
#include <libmisc_inline.h>
