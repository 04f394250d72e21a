/* _atomic_inc_return of <libsync.h>. */
#include <libsync_inline.h>
