/* Checks for the PPE sides. */
#ifndef CHECK_H
#define CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* If the condition is false, prints it with its position and ends the program. */
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
