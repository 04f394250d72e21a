/* What a program linked with -mstdmain is told, for tests. */
#include <stdio.h>

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++)
        printf("%d: %s\n", i, argv[i]);
    return argc;
}
