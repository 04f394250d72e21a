/* _atomic_sub_return of <libsync.h>. */
#include <libsync_inline.h>
