#include "time_base.h"

#include <stdio.h>

#include "failure.h"

double ns_per_tick(void)
{
    static const char file[] = "/proc/cpuinfo";
    FILE *cpuinfo = fopen(file, "r");
    char line[256];
    double hz = 0;

    if (cpuinfo == NULL)
        fail_call(file);
    while (hz <= 0 && fgets(line, sizeof line, cpuinfo) != NULL)
        if (sscanf(line, "timebase : %lf", &hz) != 1)
            hz = 0;
    fclose(cpuinfo);
    if (hz <= 0)
        fail("%s has no line \"timebase\"; it says how long a tick is", file);
    return 1e9 / hz;
}
