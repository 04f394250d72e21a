/* The printf functions. This file parses the format, and the host formats each conversion.
 *
 * Left out: %n$. `long double` is `double` on the SPU. Wide characters have 32 bits on both sides.
 */
#include "call.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#define SPECIFICATION_MAX 64

/* The destination of the text: a stream, or a limited amount of memory. */
struct sink {
    FILE *file;
    char *memory;
    unsigned int room;
    int length; /* so far */
    int failed;
};

static void emit(struct sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void emit(struct sink *sink, const char *format, ...)
{
    unsigned int used = (unsigned int)sink->length < sink->room ? (unsigned int)sink->length : sink->room;
    va_list list;
    int n;

    va_start(list, format);
    if (sink->file)
        n = vfprintf(sink->file, format, list);
    else
        n = vsnprintf(sink->memory + used, sink->room - used, format, list);
    va_end(list);
    if (n < 0)
        sink->failed = 1;
    else
        sink->length += n;
}

/* The part of a conversion between % and its letter, with each * replaced by its argument. */
struct specification {
    char text[SPECIFICATION_MAX];
    int precision; /* -1 if there is none */
};

static const char *number(const char *format, struct arguments *arguments, int *value)
{
    *value = 0;
    if (*format == '*') {
        *value = *(int *)next_argument(arguments);
        return format + 1;
    }
    for (; *format >= '0' && *format <= '9'; format++)
        *value = *value < 100000000 ? *value * 10 + (*format - '0') : *value;
    return format;
}

/* Parses everything up to a length modifier. Returns the rest of the format. */
static const char *parse(const char *format, struct arguments *arguments, struct specification *specification)
{
    int flags = strspn(format, "-+ #0'");
    char *end = specification->text;
    int width;

    if (flags > 8)
        flags = 8;
    *end++ = '%';
    memcpy(end, format, flags);
    end += flags;
    format = number(format + strspn(format, "-+ #0'"), arguments, &width);
    if (width)
        end += sprintf(end, "%s%u", width < 0 ? "-" : "", width < 0 ? -(unsigned int)width : (unsigned int)width);
    specification->precision = -1;
    if (*format == '.')
        format = number(format + 1, arguments, &specification->precision);
    if (specification->precision < 0)
        specification->precision = -1;
    *end = 0;
    return format;
}

static const char *complete(struct specification *specification, const char *length, char conversion)
{
    char *end = specification->text + strlen(specification->text);

    if (specification->precision >= 0)
        end += sprintf(end, ".%d", specification->precision);
    sprintf(end, "%s%c", length, conversion);
    return specification->text;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Prints a text, but never reads beyond the end of the local store. */
static void print_text(struct sink *sink, struct specification *specification, const struct call *call,
                       unsigned int address)
{
    const char *from = address ? at(call, address) : "(null)";
    int most = address ? (int)(call->local_store + LOCAL_STORE_BYTES - from) : 6;

    if (specification->precision < 0 || specification->precision > most)
        specification->precision = most;
    emit(sink, complete(specification, "", 's'), from);
}

static void print_wide(struct sink *sink, struct specification *specification, const struct call *call,
                       unsigned int address)
{
    const wchar_t *from = address ? (const wchar_t *)at(call, address & ~3u) : L"(null)";
    size_t most = LOCAL_STORE_BYTES / 4 - (address & (LOCAL_STORE_BYTES - 1)) / 4;

    if (!address || specification->precision >= 0 || wmemchr(from, 0, most))
        emit(sink, complete(specification, "l", 's'), from);
}

/* Returns 0 for an unknown conversion. */
static int convert(struct sink *sink, struct specification *specification, enum length length,
                   char conversion, struct arguments *arguments)
{
    if (conversion == '%') {
        emit(sink, "%%");
    } else if (memchr("diuxXo", conversion, 6)) {
        const char *value = next_argument(arguments);
        const char *format = complete(specification, host_length(length), conversion);

        if (length == LONG_LONG)
            emit(sink, format, *(long long *)value);
        else
            emit(sink, format, *(int *)value);
    } else if (memchr("eEfFgGaA", conversion, 8)) {
        emit(sink, complete(specification, "", conversion), *(double *)next_argument(arguments));
    } else if (conversion == 'c') {
        emit(sink, complete(specification, length == LONG ? "l" : "", 'c'), *(int *)next_argument(arguments));
    } else if (conversion == 's' && length == LONG) {
        print_wide(sink, specification, arguments->call, *(unsigned int *)next_argument(arguments));
    } else if (conversion == 's') {
        print_text(sink, specification, arguments->call, *(unsigned int *)next_argument(arguments));
    } else if (conversion == 'p') {
        uintptr_t address = *(unsigned int *)next_argument(arguments);

        emit(sink, complete(specification, "", 'p'), (void *)address);
    } else if (conversion == 'n') {
        store_integer(length, at(arguments->call, *(unsigned int *)next_argument(arguments)), sink->length);
    } else {
        return 0;
    }
    return 1;
}

static int print(struct sink *sink, const struct call *call, int nth)
{
    const char *format = text(call, nth);
    struct arguments arguments = variable_arguments(call, nth + 1);

    while (format && *format) {
        int plain = strcspn(format, "%");
        struct specification specification;
        enum length length;

        if (plain > 0) {
            emit(sink, "%.*s", plain, format);
            format += plain;
            continue;
        }
        format = parse(format + 1, &arguments, &specification);
        length = parse_length(&format);
        /* Unknown conversions are printed verbatim, as in C libraries. */
        if (!*format || !convert(sink, &specification, length, *format, &arguments))
            emit(sink, "%s%.1s", specification.text, format);
        format += *format != 0;
    }
    return format && !sink->failed ? sink->length : -1;
}

int print_to_stream(const struct call *call, FILE *file, int nth)
{
    struct sink sink = {file, NULL, 0, 0, 0};
    int length;

    if (!file)
        return -1;
    flockfile(file);
    length = print(&sink, call, nth);
    funlockfile(file);
    return length;
}

int print_to_memory(const struct call *call, char *memory, unsigned int room, int nth)
{
    struct sink sink = {NULL, memory, room, 0, 0};

    /* This also applies to an empty format. */
    if (room > 0)
        *memory = 0;
    return print(&sink, call, nth);
}
