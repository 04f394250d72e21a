#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *format, va_list arguments)
{
    fputs("cellstats: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void refuse(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    exit(2);
}

void fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    exit(1);
}

void fail_call(const char *call)
{
    fail("%s: %s", call, strerror(errno));
}
