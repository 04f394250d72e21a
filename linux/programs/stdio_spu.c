/* The SPE side of stdio.c: printf, scanf and streams.
 *
 * The exit status is the line number of the first failed check, limited to 255.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "check_spu.h"

#define FILE_NAME "stdio_spu.txt"

static const char *volatile longer = "longer than that";

static int print(void)
{
    char text[40];

    CHECK(printf("%d %u %x %o %c %s|%5d|%-5d|%05d\n", -1, 1u, 255u, 8u, 'c', "text", 42, 42, 42) == 36);
    CHECK(printf("%.3f %e %g %lld %hhd\n", 3.14159, 12345.678, 0.0001, -1234567890123ll, 300) == 44);
    CHECK(printf("%*d|%-*d|%.*s|%%\n", 6, 7, 6, 7, 3, "abcdef") == 20);
    CHECK(snprintf(text, 8, "%s", longer) == 16 && strcmp(text, "longer ") == 0);
    CHECK(sprintf(text, "%d%n", 1234, (int *)(text + 36)) == 4 && *(int *)(text + 36) == 4);
    CHECK(printf("%lc %ls %.2ls\n", L'w', L"wide", L"narrow") == 10);
    CHECK(puts("a line by puts") >= 0 && putchar('\n') == '\n');
    return 0;
}

static int scan(void)
{
    char name[16], rest[8];
    wchar_t letter, wide[8];
    int number, end;
    float real;
    double longer;

    CHECK(sscanf("12 abc 2.5 -7.25e2 xyz!", "%d %15s %f %lf %5[a-z]%n", &number, name, &real, &longer, rest, &end) == 5);
    CHECK(number == 12 && strcmp(name, "abc") == 0 && real == 2.5f && longer == -725 && strcmp(rest, "xyz") == 0);
    CHECK(end == 22 && sscanf("x", "%d", &number) == 0 && sscanf("", "%d", &number) == EOF);
    CHECK(sscanf("q wide]", "%lc %4l[a-z]%*1[]]%n", &letter, wide, &end) == 2 && letter == L'q' && end == 7);
    CHECK(wide[0] == L'w' && wide[3] == L'e' && wide[4] == 0);
    if (scanf("%15s %d", name, &number) == 2)
        printf("%s is %d\n", name, number);
    return 0;
}

static int file(void)
{
    char line[32], bytes[4];
    FILE *file = fopen(FILE_NAME, "w");

    CHECK(file != NULL);
    CHECK(fprintf(file, "line %d\n", 1) == 7 && fputs("line 2\n", file) >= 0);
    CHECK(fwrite("line 3\n", 1, 7, file) == 7 && fclose(file) == 0);
    file = fopen(FILE_NAME, "r");
    CHECK(file != NULL);
    CHECK(fgets(line, sizeof line, file) == line && strcmp(line, "line 1\n") == 0);
    CHECK(fgetc(file) == 'l' && ungetc('L', file) == 'L');
    CHECK(fgets(line, sizeof line, file) == line && strcmp(line, "Line 2\n") == 0);
    CHECK(ftell(file) == 14 && fseek(file, 5, SEEK_SET) == 0 && fread(bytes, 1, 2, file) == 2 && bytes[0] == '1');
    CHECK(fseek(file, 0, SEEK_END) == 0 && fgetc(file) == EOF && feof(file) && !ferror(file));
    CHECK(fclose(file) == 0 && remove(FILE_NAME) == 0);
    CHECK(fopen(FILE_NAME, "r") == NULL && errno == ENOENT);
    CHECK(write(1, "by write\n", 9) == 9);
    return 0;
}

int main(void)
{
    int wrong = print();

    if (!wrong)
        wrong = scan();
    if (!wrong)
        wrong = fflush(stdout);
    return wrong ? wrong : file();
}
