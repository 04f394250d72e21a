/* The interface between the PPE side and the SPE side of posix.c. */
#ifndef POSIX_H
#define POSIX_H

#define WORDS 1024

#endif
