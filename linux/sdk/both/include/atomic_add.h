/* _atomic_add of <libsync.h>. */
#include <libsync_inline.h>
