/* _atomic_dec_and_test of <libsync.h>. */
#include <libsync_inline.h>
