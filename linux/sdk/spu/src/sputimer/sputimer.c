/* newlib's libc has all functions of <spu_timer.h>. This library is empty: it is there for programs that are
 * linked with -lsputimer. */
typedef int sputimer_is_in_libc;
