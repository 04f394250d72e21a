/* Checks of the PPE sides here. */
#ifndef CHECK_H
#define CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program, and says where, if something is not so. */
#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) {                                                            \
            printf("%s, line %d: %s is not so\n", __FILE__, __LINE__, #condition);     \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

/* A call that has to fail so. */
#define FAILS(call, error) CHECK((errno = 0, (call) == -1) && errno == (error))

#endif
