/* Prints one value with printf. Tests put the format, the value and its kind into the local store. */
#include <stdio.h>

enum { WORD, LONG, DOUBLE, TEXT, MANY };

char format[256] = "%d\n";
char text[256] = "";
volatile int kind = WORD;
volatile int width, word;
volatile long long longer;
volatile double real;

char into[64];
volatile int length;

int main(void)
{
    switch (kind) {
    case WORD:
        return printf(format, word) < 0;
    case LONG:
        return printf(format, longer) < 0;
    case DOUBLE:
        return printf(format, real) < 0;
    case TEXT:
        return printf(format, width, text) < 0;
    default:
        /* 72 arguments would exceed the registers for arguments. These few are enough to mix sizes, and
         * snprintf must truncate the text. */
        length = snprintf(into, sizeof into, format, 1, 2ll, 3.5, "four", 5, 6ll, 7.25, 'c');
        puts(into);
        return 0;
    }
}
