/* _atomic_read of <libsync.h>. */
#include <libsync_inline.h>
