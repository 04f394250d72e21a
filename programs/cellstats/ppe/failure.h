/* Error messages of one line that end the program. */
#ifndef FAILURE_H
#define FAILURE_H

/* Reports an invalid command line: exit status 2. */
void refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Reports a failed run: exit status 1. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Reports a failed call that has set errno: exit status 1. */
void fail_call(const char *call) __attribute__((noreturn));

#endif
