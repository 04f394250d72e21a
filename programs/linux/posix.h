/* What PPE and SPE side of posix.c agree on. */
#ifndef POSIX_H
#define POSIX_H

#define WORDS 1024

#endif
