/* _atomic_inc of <libsync.h>. */
#include <libsync_inline.h>
