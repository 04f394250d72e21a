/* _wait_for_completion of <libsync.h>. */
#include <libsync_inline.h>
