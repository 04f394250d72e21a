/* _mutex_lock of <libsync.h>. */
#include <libsync_inline.h>
