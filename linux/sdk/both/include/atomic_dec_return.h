/* _atomic_dec_return of <libsync.h>. */
#include <libsync_inline.h>
