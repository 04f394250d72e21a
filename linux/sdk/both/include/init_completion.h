/* _init_completion of <libsync.h>. */
#include <libsync_inline.h>
