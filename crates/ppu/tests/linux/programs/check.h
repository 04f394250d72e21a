/* A failed check ends the program with a line that names the place in the source. */
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
            exit(1);                                                        \
        }                                                                   \
    } while (0)
