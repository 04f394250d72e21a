/* The types and inline functions of atomic integers of <libsync.h>. */
#include <libsync_inline.h>
