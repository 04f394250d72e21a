/* _llrintf4 of <simdmath.h>. */
#include <simdmath/llroundf4.h>
