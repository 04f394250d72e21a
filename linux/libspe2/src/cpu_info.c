/* The numbers of processors and SPEs in the machine, from sysfs. */
#include "internal.h"

#include <ctype.h>
#include <dirent.h>
#include <string.h>

#define THREADS_OF_A_PPE 2

/* The number of entries in a directory named `name` and a number; 0 if the directory does not exist. */
static int count(const char *path, const char *name)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    int n = 0;

    if (!directory)
        return 0;
    while ((entry = readdir(directory)))
        if (strncmp(entry->d_name, name, strlen(name)) == 0 && isdigit((unsigned char)entry->d_name[strlen(name)]))
            n++;
    closedir(directory);
    return n;
}

static int nodes(void)
{
    int threads = count("/sys/devices/system/cpu", "cpu");

    return threads > THREADS_OF_A_PPE ? threads / THREADS_OF_A_PPE : 1;
}

static int spes(int cpu_node)
{
    int all = count("/sys/devices/system/spu", "spu");

    return cpu_node < 0 ? all : all / nodes();
}

int spe_cpu_info_get(int info_requested, int cpu_node)
{
    if (info_requested == SPE_COUNT_PHYSICAL_CPU_NODES && cpu_node == -1)
        return nodes();
    if ((info_requested == SPE_COUNT_PHYSICAL_SPES || info_requested == SPE_COUNT_USABLE_SPES) &&
        cpu_node >= -1 && cpu_node < nodes())
        return spes(cpu_node);
    errno = EINVAL;
    return -1;
}
