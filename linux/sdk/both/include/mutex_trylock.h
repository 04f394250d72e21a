/* _mutex_trylock of <libsync.h>. */
#include <libsync_inline.h>
