/* Streams and files, for tests: writes and reads "made.txt". The exit status is 0 if everything was right. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHECK(condition)                          \
    do {                                          \
        if (!(condition)) {                       \
            printf("line %d: %s\n", __LINE__, #condition); \
            return 1;                             \
        }                                         \
    } while (0)

static int streams(void)
{
    char line[32];
    int number;
    float real;
    FILE *file = fopen("made.txt", "w");

    CHECK(file != NULL);
    CHECK(fputs("first line\n", file) >= 0);
    CHECK(fprintf(file, "%d %.2f %s\n", -42, 2.5, "word") == 14);
    CHECK(fwrite("abcdef", 2, 3, file) == 3);
    CHECK(fputc('!', file) == '!');
    CHECK(ftell(file) == 32);
    CHECK(fclose(file) == 0);

    file = fopen("made.txt", "r");
    CHECK(file != NULL);
    CHECK(fgets(line, sizeof line, file) == line && strcmp(line, "first line\n") == 0);
    CHECK(fscanf(file, "%d %f %5s", &number, &real, line) == 3);
    CHECK(number == -42 && real == 2.5f && strcmp(line, "word") == 0);
    CHECK(fgetc(file) == '\n');
    CHECK(ungetc('x', file) == 'x' && fgetc(file) == 'x');
    CHECK(fread(line, 1, sizeof line, file) == 7 && memcmp(line, "abcdef!", 7) == 0);
    CHECK(feof(file) && !ferror(file));
    rewind(file);
    CHECK(fseek(file, 6, SEEK_SET) == 0 && fgetc(file) == 'l' && ftell(file) == 7);
    CHECK(fclose(file) == 0);

    CHECK(fopen("no/such/file", "r") == NULL && errno == ENOENT);
    return 0;
}

static int files(void)
{
    char bytes[8];
    struct stat known;
    int file = open("made.txt", O_RDWR | O_APPEND);

    CHECK(file >= 3);
    CHECK(write(file, "more", 4) == 4);
    CHECK(fstat(file, &known) == 0 && known.st_size == 36);
    CHECK(lseek(file, -4, SEEK_END) == 32);
    CHECK(read(file, bytes, sizeof bytes) == 4 && memcmp(bytes, "more", 4) == 0);
    CHECK(close(file) == 0 && close(file) == -1 && errno == EBADF);
    CHECK(rename("made.txt", "renamed.txt") == 0);
    CHECK(open("made.txt", O_RDONLY) == -1 && errno == ENOENT);
    CHECK(open("renamed.txt", O_CREAT | O_EXCL | O_WRONLY, 0644) == -1 && errno == EEXIST);
    return 0;
}

static int scanned(void)
{
    int count, hex, octal;
    char word[8], set[8], pair[2];
    long long longer;
    double real;

    count = sscanf("7 0x1f 017 key=value -9000000000 1.5e3 ab", "%*d %x %o %3s=%[a-z] %lld %lf %2c", &hex,
                   &octal, word, set, &longer, &real, pair);
    CHECK(count == 7 && hex == 0x1f && octal == 017 && strcmp(word, "key") == 0);
    CHECK(strcmp(set, "value") == 0 && longer == -9000000000ll && real == 1500 && pair[0] == 'a');
    CHECK(sscanf("", "%d", &count) == EOF && sscanf("x", "%d", &count) == 0);
    return 0;
}

int main(void)
{
    return streams() || files() || scanned();
}
