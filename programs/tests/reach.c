/* Tests which files can be reached: reads, writes or removes the given files, and prints the result of
 * each. The first argument is r, w or x; the other arguments are paths.
 */
#include <stdio.h>

static void reach(char what, const char *path)
{
    char line[32] = "";
    FILE *file;

    if (what == 'x') {
        if (remove(path) == 0)
            printf("removed\n");
        else
            perror(path);
        return;
    }
    file = fopen(path, what == 'r' ? "r" : "w");
    if (file == NULL) {
        perror(path);
        return;
    }
    if (what == 'r')
        printf("%s\n", fgets(line, sizeof line, file) == NULL ? "nothing" : line);
    else
        printf(fputs("written", file) >= 0 ? "wrote\n" : "could not write\n");
    fclose(file);
}

int main(int argc, char **argv)
{
    int i;

    for (i = 2; i < argc; i++)
        reach(argv[1][0], argv[i]);
    return 0;
}
