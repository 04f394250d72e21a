/* A check that fails ends the program with a line that says where. */
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
            exit(1);                                                        \
        }                                                                   \
    } while (0)
