/* Checks for the PPE sides. */
#ifndef CHECK_H
#define CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program if the condition is false, with a line that shows it and its position. */
#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) {                                                            \
            printf("%s, line %d: %s is not so\n", __FILE__, __LINE__, #condition);     \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

/* Checks that a call fails with this error. */
#define FAILS(call, error) CHECK((errno = 0, (call) == -1) && errno == (error))

#endif
