/* Checks for the SPE sides of stdio.c and posix.c. */
#ifndef CHECK_SPU_H
#define CHECK_SPU_H

/* Returns the line of a failed check from the enclosing function. */
#define CHECK(condition)     \
    do {                     \
        if (!(condition))    \
            return __LINE__; \
    } while (0)

#endif
