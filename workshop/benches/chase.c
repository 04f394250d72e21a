/* The latency of loads from a working set, by the plainest chase of pointers: a random cycle of lines by
   Sattolo's algorithm in memory as malloc gives it, lap after lap.  agreement.py compares it with ours.

       chase BYTES     prints the median over runs in several buffers, in nanoseconds */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINE_BYTES = 64, BUFFERS = 18, RUNS = 10, ALL = BUFFERS * RUNS, LOADS = 10000 };

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static void *chase(void *from, size_t loads) {
    while (loads--)
        from = *(void *volatile *)from;
    return from;
}

static int by_value(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

int main(int count, char **words) {
    size_t lines = count > 1 ? strtoull(words[1], NULL, 10) / LINE_BYTES : 0;
    if (lines < 2)
        return fprintf(stderr, "give a number of bytes\n"), 2;
    double found[ALL];
    for (int nth = 0; nth < BUFFERS; nth++) {
        char *memory = aligned_alloc(4096, (lines * LINE_BYTES + 4095) / 4096 * 4096);
        size_t *order = malloc(lines * sizeof *order);
        if (!memory || !order)
            return fprintf(stderr, "no memory\n"), 1;
        for (size_t i = 0; i < lines; i++)
            order[i] = i;
        uint64_t chance = 88172645463325252u + nth;
        for (size_t i = lines - 1; i > 0; i--) {
            chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
            size_t other = chance % i, kept = order[i];
            order[i] = order[other], order[other] = kept;
        }
        for (size_t i = 0; i < lines; i++)
            *(void **)(memory + i * LINE_BYTES) = memory + order[i] * LINE_BYTES;
        free(order);
        void *at = chase(memory, lines); /* after a whole lap, the caches are as after any other */
        for (int run = 0; run < RUNS; run++) {
            double start_ns = now_ns();
            at = chase(at, LOADS);
            found[nth * RUNS + run] = (now_ns() - start_ns) / LOADS + (at == NULL);
        }
        free(memory);
    }
    qsort(found, ALL, sizeof *found, by_value);
    printf("%.4f\n", (found[ALL / 2] + found[(ALL - 1) / 2]) / 2);
    return 0;
}
