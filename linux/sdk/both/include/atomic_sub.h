/* _atomic_sub of <libsync.h>. */
#include <libsync_inline.h>
