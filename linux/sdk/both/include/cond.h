/* The types and inline functions of condition variables of <libsync.h>. */
#include <libsync_inline.h>
