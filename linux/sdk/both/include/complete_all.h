/* _complete_all of <libsync.h>. */
#include <libsync_inline.h>
