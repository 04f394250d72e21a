/* Prints the arguments of a program linked with -mstdmain, for tests. */
#include <stdio.h>

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++)
        printf("%d: %s\n", i, argv[i]);
    return argc;
}
