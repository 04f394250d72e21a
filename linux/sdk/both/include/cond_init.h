/* _cond_init of <libsync.h>. */
#include <libsync_inline.h>
