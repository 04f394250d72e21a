#include "quantities.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS_MAX 12

int parse_number(const char *text, uint32_t thousand, uint64_t *number)
{
    uint64_t value = 0;
    int digits = 0;

    for (; isdigit((unsigned char)*text); text++) {
        if (++digits > DIGITS_MAX)
            return 0;
        value = 10 * value + (uint64_t)(*text - '0');
    }
    if (tolower((unsigned char)*text) == 'k') {
        value *= thousand;
        text++;
    } else if (tolower((unsigned char)*text) == 'm') {
        value *= (uint64_t)thousand * thousand;
        text++;
    }
    *number = value;
    return digits > 0 && *text == '\0';
}

/* Prints three significant digits, without an exponent and without trailing zeros. */
static void print_three_digits(double value)
{
    char rounded[32];

    snprintf(rounded, sizeof rounded, "%.2e", value);
    printf("%.12g", strtod(rounded, NULL));
}

void print_latency(double ns)
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "\xc2\xb5s"}, {1, "ns"}};
    int i = 0;

    /* 999.5 ns is printed as 1 us. */
    while (units[i].ns > 1 && ns < 0.9995 * units[i].ns)
        i++;
    print_three_digits(ns / units[i].ns);
    printf(" %s\n", units[i].name);
}

void print_bandwidth(double gb_s)
{
    print_three_digits(gb_s);
    printf(" GB/s\n");
}
