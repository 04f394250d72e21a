/* Streams, which SPE programs identify by number (1, 2 and 3 are the standard streams), and all functions of
 * stdio without formats.
 */
#include "call.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_FREE 4
#define STREAMS 16 /* newlib's FOPEN_MAX on the SPU */

static FILE *streams[STREAMS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fill(void)
{
    streams[1] = stdin;
    streams[2] = stdout;
    streams[3] = stderr;
}

FILE *stream(unsigned int number)
{
    FILE *found;

    pthread_once(&once, fill);
    found = number < STREAMS ? streams[number] : NULL;
    if (!found)
        errno = EBADF;
    return found;
}

/* Assigns a number to an opened stream; 0 is the null pointer. */
static int enter(FILE *opened)
{
    int number = FIRST_FREE;

    if (!opened)
        return 0;
    pthread_mutex_lock(&lock);
    while (number < STREAMS && streams[number])
        number++;
    if (number < STREAMS)
        streams[number] = opened;
    pthread_mutex_unlock(&lock);
    if (number < STREAMS)
        return number;
    fclose(opened);
    errno = EMFILE;
    return 0;
}

static int do_fopen(const struct call *call)
{
    const char *path = text(call, 0), *mode = text(call, 1);

    return path && mode ? enter(fopen(path, mode)) : 0;
}

static int do_freopen(const struct call *call)
{
    const char *path = text(call, 0), *mode = text(call, 1);
    FILE *file = stream(word(call, 2));

    if (!path || !mode || !file)
        return 0;
    if (freopen(path, mode, file))
        return word(call, 2);
    streams[word(call, 2)] = NULL;
    return 0;
}

static int do_tmpfile(const struct call *call)
{
    (void)call;
    return enter(tmpfile());
}

static int do_fclose(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    if (!file)
        return EOF;
    streams[word(call, 0)] = NULL;
    return fclose(file);
}

static int do_clearerr(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    if (file)
        clearerr(file);
    return file ? 0 : EOF;
}

static int do_feof(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    return file && feof(file);
}

static int do_ferror(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    return file && ferror(file);
}

static int do_fflush(const struct call *call)
{
    FILE *file = word(call, 0) ? stream(word(call, 0)) : NULL;

    return word(call, 0) && !file ? EOF : fflush(file);
}

static int do_fileno(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    return file ? fileno(file) : -1;
}

static int do_fgetc(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    return file ? getc(file) : EOF;
}

static int do_getchar(const struct call *call)
{
    FILE *file = stream(1);

    (void)call;
    return file ? getc(file) : EOF;
}

static int do_fgets(const struct call *call)
{
    int size = word(call, 1);
    char *line = pointer(call, 0, size > 0 ? size : 0);
    FILE *file = stream(word(call, 2));

    return line && file && fgets(line, size, file) ? (int)word(call, 0) : 0;
}

/* Reads to the end of the line, or to the end of the local store. */
static int do_gets(const struct call *call)
{
    char *line = pointer(call, 0, 1), *end = call->local_store + LOCAL_STORE_BYTES - 1;
    FILE *file = stream(1);
    int byte = file ? getc(file) : EOF;

    if (byte == EOF)
        return 0;
    for (; byte != EOF && byte != '\n' && line < end; byte = getc(file))
        *line++ = byte;
    *line = 0;
    return word(call, 0);
}

static int do_fputc(const struct call *call)
{
    FILE *file = stream(word(call, 1));

    return file ? putc(word(call, 0), file) : EOF;
}

static int do_putchar(const struct call *call)
{
    FILE *file = stream(2);

    return file ? putc(word(call, 0), file) : EOF;
}

static int do_fputs(const struct call *call)
{
    const char *from = text(call, 0);
    FILE *file = stream(word(call, 1));

    return from && file ? fputs(from, file) : EOF;
}

static int do_puts(const struct call *call)
{
    const char *from = text(call, 0);
    FILE *file = stream(2);
    int result;

    if (!from || !file)
        return EOF;
    flockfile(file);
    result = fputs(from, file) < 0 ? EOF : putc('\n', file);
    funlockfile(file);
    return result;
}

/* The buffer of `size` times `count` bytes for fread and fwrite. */
static char *elements(const struct call *call)
{
    unsigned long long bytes = (unsigned long long)word(call, 1) * word(call, 2);

    return pointer(call, 0, bytes > LOCAL_STORE_BYTES ? LOCAL_STORE_BYTES + 1 : (unsigned int)bytes);
}

static int do_fread(const struct call *call)
{
    char *to = elements(call);
    FILE *file = stream(word(call, 3));

    return to && file ? (int)fread(to, word(call, 1), word(call, 2), file) : 0;
}

static int do_fwrite(const struct call *call)
{
    const char *from = elements(call);
    FILE *file = stream(word(call, 3));

    return from && file ? (int)fwrite(from, word(call, 1), word(call, 2), file) : 0;
}

static int do_ungetc(const struct call *call)
{
    FILE *file = stream(word(call, 1));

    return file ? ungetc(word(call, 0), file) : EOF;
}

static int do_fseek(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    return file ? fseek(file, (int)word(call, 1), word(call, 2)) : -1;
}

static int do_ftell(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    return file ? ftell(file) : -1;
}

static int do_rewind(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    if (file)
        rewind(file);
    return file ? 0 : -1;
}

/* A position is the result of ftell. Only fsetpos reads it. */
static int do_fgetpos(const struct call *call)
{
    unsigned int *position = (unsigned int *)pointer(call, 1, 4);
    FILE *file = stream(word(call, 0));
    long place = file ? ftell(file) : -1;

    if (!position || place < 0)
        return -1;
    *position = place;
    return 0;
}

static int do_fsetpos(const struct call *call)
{
    const unsigned int *position = (const unsigned int *)pointer(call, 1, 4);
    FILE *file = stream(word(call, 0));

    return position && file ? fseek(file, (int)*position, SEEK_SET) : -1;
}

/* The host's streams have their own buffers, so they cannot use a buffer in a local store. */
static int do_setbuf(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    return file ? setvbuf(file, NULL, word(call, 1) ? _IOFBF : _IONBF, BUFSIZ) : -1;
}

static int do_setvbuf(const struct call *call)
{
    FILE *file = stream(word(call, 0));

    return file ? setvbuf(file, NULL, word(call, 2), word(call, 3)) : -1;
}

static int do_perror(const struct call *call)
{
    const char *what = word(call, 0) ? text(call, 0) : "";
    FILE *file = stream(3);

    if (what && file)
        fprintf(file, "%s%s%s\n", what, *what ? ": " : "", strerror(word(call, 1)));
    return 0;
}

static int do_remove(const struct call *call)
{
    const char *path = text(call, 0);

    return path ? remove(path) : -1;
}

static int do_rename(const struct call *call)
{
    const char *from = text(call, 0), *to = text(call, 1);

    return from && to ? rename(from, to) : -1;
}

static int do_vfprintf(const struct call *call)
{
    return print_to_stream(call, stream(word(call, 0)), 1);
}

static int do_vprintf(const struct call *call)
{
    return print_to_stream(call, stream(2), 0);
}

static int do_vsnprintf(const struct call *call)
{
    unsigned int room = word(call, 1);
    unsigned int most = LOCAL_STORE_BYTES - (word(call, 0) & (LOCAL_STORE_BYTES - 1));

    return print_to_memory(call, pointer(call, 0, 0), room < most ? room : most, 2);
}

static int do_vsprintf(const struct call *call)
{
    unsigned int most = LOCAL_STORE_BYTES - (word(call, 0) & (LOCAL_STORE_BYTES - 1));

    return print_to_memory(call, pointer(call, 0, 0), most, 1);
}

static int do_vfscanf(const struct call *call)
{
    return scan_stream(call, stream(word(call, 0)), 1);
}

static int do_vscanf(const struct call *call)
{
    return scan_stream(call, stream(1), 0);
}

static int do_vsscanf(const struct call *call)
{
    const char *input = text(call, 0);

    return input ? scan_text(call, input, 1) : EOF;
}

/* The functions by number. `system` and `tmpnam` are left out: they fail with ENOSYS. */
static const struct function C99[] = {
    [1] = {do_clearerr, EOF}, [2] = {do_fclose, EOF},     [3] = {do_feof, -1},
    [4] = {do_ferror, -1},    [5] = {do_fflush, EOF},     [6] = {do_fgetc, EOF},
    [7] = {do_fgetpos, -1},   [8] = {do_fgets, 0},        [9] = {do_fileno, -1},
    [10] = {do_fopen, 0},     [11] = {do_fputc, EOF},     [12] = {do_fputs, EOF},
    [13] = {do_fread, 0},     [14] = {do_freopen, 0},     [15] = {do_fseek, -1},
    [16] = {do_fsetpos, -1},  [17] = {do_ftell, -1},      [18] = {do_fwrite, 0},
    [19] = {do_fgetc, EOF},   [20] = {do_getchar, EOF},   [21] = {do_gets, 0},
    [22] = {do_perror, -1},   [23] = {do_fputc, EOF},     [24] = {do_putchar, EOF},
    [25] = {do_puts, EOF},    [26] = {do_remove, -1},     [27] = {do_rename, -1},
    [28] = {do_rewind, -1},   [29] = {do_setbuf, -1},     [30] = {do_setvbuf, -1},
    [32] = {do_tmpfile, 0},   [34] = {do_ungetc, EOF},    [35] = {do_vfprintf, -1},
    [36] = {do_vfscanf, EOF}, [37] = {do_vprintf, -1},    [38] = {do_vscanf, EOF},
    [39] = {do_vsnprintf, -1}, [40] = {do_vsprintf, -1},  [41] = {do_vsscanf, EOF},
};

int call_c99(void *local_store, unsigned int address)
{
    return carry_out(C99, sizeof C99 / sizeof C99[0], local_store, word_behind(local_store, address));
}
