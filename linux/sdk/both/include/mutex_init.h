/* _mutex_init of <libsync.h>. */
#include <libsync_inline.h>
