/* _atomic_set of <libsync.h>. */
#include <libsync_inline.h>
