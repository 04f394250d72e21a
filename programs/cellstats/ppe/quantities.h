/* Numbers with multipliers (16k, 1m), and quantities in the form of the papers (1.68 ms, 160 ns). */
#ifndef QUANTITIES_H
#define QUANTITIES_H

#include <stdint.h>

#define KILO 1000
#define KIBI 1024

/* Parses a whole number with a multiplier: k is `thousand`, m its square. Returns 0 for an invalid number. */
int parse_number(const char *text, uint32_t thousand, uint64_t *number);

/* Prints a line of output with three significant digits. */
void print_latency(double ns);
void print_bandwidth(double gb_s);

#endif
