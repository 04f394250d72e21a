/* The names of contexts: a directory of spufs lasts exactly as long as the descriptor of spu_create. */
#define _GNU_SOURCE
#include "check.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAME "/spu/again"
#define GANG 2
#define NOSCHED 4
#define FAILS(call, error) CHECK((errno = 0, (long)(call) == -1) && errno == (error))

static int create(const char *name, int flags)
{
    return syscall(SYS_spu_create, name, flags, 0700, -1);
}

static int count_names(void)
{
    DIR *directory = opendir("/spu");
    struct dirent *entry;
    int count = 0;

    while ((entry = readdir(directory)))
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void *close_it(void *descriptor)
{
    return (void *)(long)close((int)(long)descriptor);
}

/* Runs the context, whose first word is a stop. */
static void run(int context)
{
    unsigned int next = 0, event = 0;

    CHECK(syscall(SYS_spu_run, context, &next, &event) == 2);
}

static void names_are_used_again(void)
{
    int n;

    for (n = 0; n < 3000; n++) {
        int context = create(NAME, 0), file = open(NAME "/mem", O_RDWR);
        char *local_store = mmap(0, 0x40000, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

        CHECK(context >= 0 && file >= 0 && local_store != MAP_FAILED);
        if (n % 100 == 0)
            run(context);
        local_store[0x1000 + n] = 1;
        CHECK(close(file) == 0 && close(context) == 0 && munmap(local_store, 0x40000) == 0);
    }
    CHECK(count_names() == 0);
}

static void a_name_goes_before_the_files(void)
{
    int context = create(NAME, 0), file = open(NAME "/mem", O_RDWR), other;
    pthread_t thread;
    void *closed;
    char byte = 7;

    CHECK(pwrite(file, &byte, 1, 5) == 1 && count_names() == 1);
    FAILS(create(NAME, 0), EEXIST);
    CHECK(pthread_create(&thread, 0, close_it, (void *)(long)context) == 0);
    CHECK(pthread_join(thread, &closed) == 0 && !closed);
    CHECK(count_names() == 0);
    FAILS(open(NAME "/mem", O_RDWR), ENOENT);
    other = create(NAME, 0);
    CHECK(other >= 0 && pread(file, &byte, 1, 5) == 1 && byte == 7);
    CHECK(close(file) == 0 && count_names() == 1 && close(other) == 0);
}

static void other_descriptors_do_not_count(void)
{
    int context = create(NAME, 0), gang = create("/spu/gang", GANG), copy = dup(context);
    int directories[2] = {open(NAME, O_RDONLY | O_DIRECTORY), open("/spu/gang", O_RDONLY | O_DIRECTORY)};

    CHECK(directories[0] >= 0 && directories[1] >= 0 && count_names() == 2);
    CHECK(close(directories[0]) == 0 && close(directories[1]) == 0 && count_names() == 2);
    CHECK(close(context) == 0 && count_names() == 2 && close(copy) == 0 && close(gang) == 0 && count_names() == 0);
}

/* Files that cannot be opened leave nothing behind. */
static void failures_keep_nothing(void)
{
    int context = create(NAME, 0), last = 0, n;

    CHECK(open(NAME "/npc", O_RDWR | O_TRUNC) == -1);
    CHECK(truncate(NAME "/npc", 1) == -1);
    while ((n = dup(0)) >= 0)
        last = n;
    CHECK(errno == EMFILE);
    FAILS(open(NAME "/mem", O_RDWR), EMFILE);
    FAILS(create("/spu/other", 0), EMFILE);
    while (last > context)
        close(last--);
    CHECK(close(context) == 0);
    context = create("/spu/other", 0);
    CHECK(context >= 0 && count_names() == 1 && close(context) == 0);
}

/* Contexts without names give their SPEs back, even if files of them are still open. */
static void spes_come_back(void)
{
    int files[20], n;

    for (n = 0; n < 20; n++) {
        int context = create(NAME, NOSCHED);

        CHECK(context >= 0);
        run(context);
        files[n] = open(NAME "/regs", O_RDONLY);
        CHECK(files[n] >= 0 && close(context) == 0);
    }
    for (n = 0; n < 20; n++)
        CHECK(close(files[n]) == 0);
}

int main(void)
{
    names_are_used_again();
    a_name_goes_before_the_files();
    other_descriptors_do_not_count();
    failures_keep_nothing();
    spes_come_back();
    puts("ok");
    return 0;
}
