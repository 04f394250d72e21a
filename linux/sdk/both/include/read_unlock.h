/* _read_unlock of <libsync.h>. */
#include <libsync_inline.h>
