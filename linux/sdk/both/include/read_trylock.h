/* _read_trylock of <libsync.h>. */
#include <libsync_inline.h>
