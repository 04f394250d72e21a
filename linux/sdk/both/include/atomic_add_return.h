/* _atomic_add_return of <libsync.h>. */
#include <libsync_inline.h>
