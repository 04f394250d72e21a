/* _cond_wait of <libsync.h>. */
#include <libsync_inline.h>
