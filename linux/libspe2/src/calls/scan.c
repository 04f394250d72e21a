/* The scanf functions. This file parses the format, and the host scans each conversion and stores its value
 * through a pointer into the local store.
 *
 * %n$ and %m are left out. `long double` is `double` on the SPU. Wide characters have 32 bits on both sides.
 */
#include "call.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#define DIRECTIVE_MAX 320

/* The source of the input: a stream or a text. */
struct source {
    FILE *file;
    const char *text;
    int taken; /* bytes, so far */
};

static int take(struct source *source)
{
    int byte = source->file ? getc(source->file) : *source->text ? (unsigned char)*source->text++ : EOF;

    source->taken += byte != EOF;
    return byte;
}

static void put_back(struct source *source, int byte)
{
    if (byte == EOF)
        return;
    source->taken--;
    if (source->file)
        ungetc(byte, source->file);
    else
        source->text--;
}

static void skip_blanks(struct source *source)
{
    int byte;

    do
        byte = take(source);
    while (byte != EOF && isspace(byte));
    put_back(source, byte);
}

/* A conversion for the host's scanf, and the destination of its value. */
struct directive {
    char text[DIRECTIVE_MAX];
    int discard;
    unsigned int width;
    enum length length;
    char conversion;
};

/* Parses the text after %. Returns the rest of the format, or NULL for an invalid conversion. */
static const char *parse(const char *format, struct directive *directive)
{
    const char *set;

    directive->discard = *format == '*';
    format += directive->discard;
    directive->width = 0;
    for (; isdigit((unsigned char)*format); format++)
        directive->width = directive->width < 100000000 ? directive->width * 10 + (*format - '0') : directive->width;
    directive->length = parse_length(&format);
    directive->conversion = *format;
    if (!*format || !memchr("diuxXoeEfFgGaAcsp[n%", *format, 20))
        return NULL;
    set = format++;
    if (*set == '[') {
        format += *format == '^';
        format += *format == ']';
        format += strcspn(format, "]");
        if (!*format++)
            return NULL;
    }
    if (format - set >= DIRECTIVE_MAX - 32)
        return NULL;
    memcpy(directive->text, set, format - set);
    directive->text[format - set] = 0;
    return format;
}

static const char *length_of(const struct directive *directive)
{
    /* `l` selects doubles and wide characters. The L of `long double` does the same. */
    if (memchr("eEfFgGaAcs[", directive->conversion, 11))
        return directive->length >= LONG ? "l" : "";
    return directive->conversion == 'p' ? "" : host_length(directive->length);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

/* Scans one conversion on the host. Returns 1 on success, 0 on a mismatch, and EOF at the end of the input. */
static int scan_one(struct source *source, const struct directive *directive, char *to, unsigned int room)
{
    void *address; /* A pointer of a 64-bit host does not fit into one of the SPU. */
    char *into = directive->conversion == 'p' ? (char *)&address : to;
    int is_text = directive->conversion == 's' || directive->conversion == '[';
    unsigned int width = directive->width;
    unsigned int most = directive->length >= LONG ? room / 4 : room;
    char format[DIRECTIVE_MAX + 32], digits[12] = "";
    int n = -1, result;

    /* The conversion never writes beyond the end of the local store. */
    if (is_text && !directive->discard && (width == 0 || width >= most))
        width = most > 1 ? most - 1 : 1;
    if (width)
        snprintf(digits, sizeof digits, "%u", width);
    snprintf(format, sizeof format, "%%%s%s%s%s%%n", directive->discard ? "*" : "", digits, length_of(directive),
             directive->text);
    if (source->file)
        result = directive->discard ? fscanf(source->file, format, &n) : fscanf(source->file, format, into, &n);
    else
        result = directive->discard ? sscanf(source->text, format, &n) : sscanf(source->text, format, into, &n);
    if (n < 0)
        return result == EOF ? EOF : 0;
    if (into != to && !directive->discard)
        *(unsigned int *)to = (uintptr_t)address;
    source->taken += n;
    if (!source->file)
        source->text += n;
    return 1;
}

/* Carries out one conversion. Returns 1 if the scan continues, and otherwise 0 or EOF as above. */
static int convert(struct source *source, const struct directive *directive, struct arguments *arguments, int *stored)
{
    char *to = NULL;
    int outcome;

    if (directive->conversion == '%') {
        int byte;

        skip_blanks(source);
        byte = take(source);
        if (byte != '%')
            put_back(source, byte);
        return byte == '%' ? 1 : byte == EOF ? EOF : 0;
    }
    if (!directive->discard)
        to = at(arguments->call, *(unsigned int *)next_argument(arguments));
    if (directive->conversion == 'n') {
        if (to)
            store_integer(directive->length, to, source->taken);
        return 1;
    }
    outcome = scan_one(source, directive, to,
                       to ? (unsigned int)(arguments->call->local_store + LOCAL_STORE_BYTES - to) : 0);
    *stored += outcome == 1 && !directive->discard;
    return outcome;
}

static int scan(struct source *source, const struct call *call, int nth)
{
    const char *format = text(call, nth);
    struct arguments arguments = variable_arguments(call, nth + 1);
    int stored = 0, outcome = 1;

    while (format && *format && outcome == 1) {
        struct directive directive;

        if (isspace((unsigned char)*format)) {
            skip_blanks(source);
            format++;
        } else if (*format == '%') {
            format = parse(format + 1, &directive);
            outcome = format ? convert(source, &directive, &arguments, &stored) : 0;
        } else {
            int byte = take(source);

            if (byte != (unsigned char)*format) {
                put_back(source, byte);
                outcome = byte == EOF ? EOF : 0;
            }
            format++;
        }
    }
    return outcome == EOF && stored == 0 ? EOF : stored;
}

int scan_stream(const struct call *call, FILE *file, int nth)
{
    struct source source = {file, NULL, 0};
    int stored;

    if (!file)
        return EOF;
    flockfile(file);
    stored = scan(&source, call, nth);
    funlockfile(file);
    return stored;
}

int scan_text(const struct call *call, const char *input, int nth)
{
    struct source source = {NULL, input, 0};

    return scan(&source, call, nth);
}
