/* _atomic_dec_if_positive of <libsync.h>. */
#include <libsync_inline.h>
