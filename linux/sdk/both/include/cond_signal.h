/* _cond_signal of <libsync.h>. */
#include <libsync_inline.h>
