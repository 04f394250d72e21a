/* The identity of the process, and the resources that it may use. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(int argc, char **argv, char **environment)
{
    struct utsname names;
    struct rlimit limit;
    struct sysinfo info;
    char name[16], random[2][16];
    CHECK(argc == 1 && strcmp(argv[0], "program") == 0 && argv[1] == 0 && strcmp(environment[0], "PATH=/bin") == 0);
    CHECK(uname(&names) == 0 && strcmp(names.sysname, "Linux") == 0 && strncmp(names.machine, "ppc", 3) == 0);
    CHECK(getpid() == gettid() && getppid() == getpid() - 1 && getuid() == geteuid() && getgid() == getegid());
    CHECK(setuid(getuid()) == 0 && setuid(0) == -1 && errno == EPERM);
    CHECK(getauxval(AT_HWCAP) & 0x10000000 && strcmp((char *)getauxval(AT_PLATFORM), "ppc-cell-be") == 0);
    CHECK(getauxval(AT_DCACHEBSIZE) == 128 && sysconf(_SC_PAGESIZE) == 4096);
    CHECK(sysconf(_SC_NPROCESSORS_ONLN) == 2);
    CHECK(getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur == 8 << 20);
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= 256);
    CHECK(sysinfo(&info) == 0 && info.totalram * info.mem_unit == 200 << 20 && info.freeram < info.totalram);
    CHECK(prctl(PR_SET_NAME, "a name that is too long") == 0 && prctl(PR_GET_NAME, name) == 0);
    CHECK(strcmp(name, "a name that is ") == 0);
    CHECK(getrandom(random[0], 16, 0) == 16 && getrandom(random[1], 16, 0) == 16);
    CHECK(memcmp(random[0], random[1], 16) != 0);
    puts("ok");
    return 0;
}
