/* _read_lock of <libsync.h>. */
#include <libsync_inline.h>
