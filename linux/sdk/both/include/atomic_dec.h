/* _atomic_dec of <libsync.h>. */
#include <libsync_inline.h>
