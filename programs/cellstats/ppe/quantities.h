/* Numbers as people write them (16k, 1m), and quantities as the papers print them (1.68 ms, 160 ns). */
#ifndef QUANTITIES_H
#define QUANTITIES_H

#include <stdint.h>

#define KILO 1000
#define KIBI 1024

/* Reads a whole number with a multiplier: k is `thousand`, m its square. Answers 0 if it is none. */
int parse_number(const char *text, uint32_t thousand, uint64_t *number);

/* One line of output: three significant digits. */
void print_latency(double ns);
void print_bandwidth(double gb_s);

#endif
