/* _mutex_unlock of <libsync.h>. */
#include <libsync_inline.h>
