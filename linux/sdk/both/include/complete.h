/* _complete of <libsync.h>. */
#include <libsync_inline.h>
