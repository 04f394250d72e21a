/* _cond_broadcast of <libsync.h>. */
#include <libsync_inline.h>
