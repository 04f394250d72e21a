/* How the program says in one line what is wrong, and ends. */
#ifndef FAILURE_H
#define FAILURE_H

/* The command line cannot be: exit status 2. */
void refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The run failed: exit status 1. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The run failed in a call that has set errno. */
void fail_call(const char *call) __attribute__((noreturn));

#endif
