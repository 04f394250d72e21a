/* _atomic_sub_and_test of <libsync.h>. */
#include <libsync_inline.h>
