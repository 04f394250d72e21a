/* The types and inline functions of mutexes of <libsync.h>. */
#include <libsync_inline.h>
