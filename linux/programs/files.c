/* Files and directories of the PPE alone, without SPEs: every call succeeds or fails as documented.
 *
 *     cellstats run linux/programs/files.elf
 *
 * Creates a directory `files.tmp` in the current directory and removes it again.
 *
 * Exit status: 0 if all calls behave as documented, otherwise 1, with a line that names the wrong call.
 */
#define _GNU_SOURCE
#include "check.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

/* No memory is mapped at this address. `volatile` hides the address from the compiler. */
static char *volatile nowhere = (char *)1;

static long size_of(const char *path)
{
    struct stat known;

    return stat(path, &known) == 0 ? (long)known.st_size : -1;
}

static void reading_and_writing(void)
{
    struct iovec parts[] = {{"ab", 2}, {"cde", 3}};
    char text[16] = "";
    int file = open("a", O_RDWR | O_CREAT | O_EXCL, 0644), again;

    CHECK(file >= 0);
    CHECK(write(file, "hello world", 11) == 11);
    CHECK(lseek(file, 0, SEEK_SET) == 0 && read(file, text, 5) == 5 && memcmp(text, "hello", 5) == 0);
    CHECK(lseek(file, 0, SEEK_CUR) == 5);
    FAILS(lseek(file, -100, SEEK_CUR), EINVAL);
    CHECK(lseek(file, 5, SEEK_END) == 16 && write(file, "x", 1) == 1 && size_of("a") == 17);
    CHECK(pread(file, text, 4, 10) == 4 && memcmp(text, "d\0\0\0", 4) == 0);
    CHECK(pwrite(file, "W", 1, 6) == 1 && pread(file, text, 5, 6) == 5 && memcmp(text, "World", 5) == 0);
    CHECK(writev(file, parts, 2) == 5 && size_of("a") == 22);
    CHECK(ftruncate(file, 3) == 0 && size_of("a") == 3);
    CHECK(truncate("a", 1000) == 0 && size_of("a") == 1000 && pread(file, text, 16, 998) == 2);
    again = open("a", O_WRONLY | O_APPEND);
    CHECK(write(again, "end", 3) == 3 && size_of("a") == 1003);
    FAILS(read(again, text, 1), EBADF);
    CHECK(close(again) == 0);
    FAILS(close(again), EBADF);
    FAILS(write(file, nowhere, 1), EFAULT);
    CHECK(close(file) == 0);
}

static void opening(void)
{
    FAILS(open("a", O_RDWR | O_CREAT | O_EXCL, 0644), EEXIST);
    FAILS(open("nothing", O_RDONLY), ENOENT);
    FAILS(open("a", O_RDONLY | O_DIRECTORY), ENOTDIR);
    FAILS(open("a/b", O_RDONLY), ENOTDIR);
    FAILS(open(".", O_WRONLY), EISDIR);
    FAILS(open("", O_RDONLY), ENOENT);
    CHECK(symlink("circle", "circle") == 0);
    FAILS(open("circle", O_RDONLY), ELOOP);
    CHECK(unlink("circle") == 0 && symlink("a", "link") == 0);
    FAILS(open("link", O_RDONLY | O_NOFOLLOW), ELOOP);
    CHECK(unlink("link") == 0);
}

static void names(void)
{
    struct stat known;
    char text[16] = "";

    CHECK(link("a", "b") == 0 && stat("b", &known) == 0 && known.st_nlink == 2);
    CHECK(symlink("a", "link") == 0 && lstat("link", &known) == 0 && S_ISLNK(known.st_mode) && known.st_size == 1);
    CHECK(readlink("link", text, sizeof text) == 1 && text[0] == 'a');
    FAILS(readlink("a", text, sizeof text), EINVAL);
    CHECK(rename("b", "c") == 0 && access("c", R_OK | W_OK) == 0);
    FAILS(access("b", F_OK), ENOENT);
    FAILS(access("c", X_OK), EACCES);
    CHECK(chmod("c", 0600) == 0 && stat("a", &known) == 0 && (known.st_mode & 07777) == 0600);
    CHECK(unlink("c") == 0 && unlink("link") == 0);
    FAILS(unlink("c"), ENOENT);
    FAILS(rename("c", "d"), ENOENT);
}

static void times(void)
{
    const struct timespec given[] = {{5, 6}, {7, UTIME_OMIT}}, wrong[] = {{5, 2000000000}, {7, 0}};
    const struct timespec both[] = {{1000, 0}, {2000, 0}};
    struct stat known;

    CHECK(utimensat(AT_FDCWD, "a", both, 0) == 0 && utimensat(AT_FDCWD, "a", given, 0) == 0);
    CHECK(stat("a", &known) == 0 && known.st_atim.tv_sec == 5 && known.st_atim.tv_nsec == 6 && known.st_mtime == 2000);
    FAILS(utimensat(AT_FDCWD, "a", wrong, 0), EINVAL);
}

static void directories(void)
{
    int here = open(".", O_RDONLY | O_DIRECTORY), count = 0;
    struct dirent *entry;
    char text[256];
    DIR *list;

    FAILS(mkdirat(here, "a", 0755), EEXIST);
    CHECK(mkdirat(here, "inner", 0755) == 0);
    for (int n = 0; n < 40; n++) {
        snprintf(text, sizeof text, "inner/file%02d", n);
        CHECK(close(creat(text, 0644)) == 0);
    }
    list = opendir("inner");
    while ((entry = readdir(list)) != NULL)
        count += strncmp(entry->d_name, "file", 4) == 0 && entry->d_type == DT_REG;
    CHECK(count == 40);
    rewinddir(list);
    for (count = 0; readdir(list) != NULL; count++)
        continue;
    CHECK(count == 42 && closedir(list) == 0);
    FAILS(rmdir("inner"), ENOTEMPTY);
    FAILS(unlink("inner"), EISDIR);
    CHECK(chdir("inner") == 0 && getcwd(text, sizeof text) != NULL && strcmp(strrchr(text, '/'), "/inner") == 0);
    FAILS((long)getcwd(text, 3) - 1, ERANGE);
    FAILS(chdir("file00"), ENOTDIR);
    for (int n = 0; n < 40; n++) {
        snprintf(text, sizeof text, "file%02d", n);
        CHECK(unlink(text) == 0);
    }
    CHECK(fchdir(here) == 0 && unlinkat(here, "inner", AT_REMOVEDIR) == 0);
    FAILS(read(here, text, 1), EISDIR);
    CHECK(close(here) == 0);
}

static void descriptors(void)
{
    int file = open("a", O_RDWR), other = dup(file);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    CHECK(other > file && lseek(file, 3, SEEK_SET) == 3 && lseek(other, 0, SEEK_CUR) == 3);
    CHECK(dup2(file, 50) == 50 && dup2(file, file) == file && dup3(file, 51, O_CLOEXEC) == 51);
    CHECK(fcntl(51, F_GETFD) == FD_CLOEXEC && fcntl(50, F_GETFD) == 0);
    FAILS(dup2(99, 52), EBADF);
    FAILS(dup3(file, file, 0), EINVAL);
    CHECK(fcntl(file, F_DUPFD, 60) == 60 && fcntl(file, F_DUPFD_CLOEXEC, 60) == 61);
    CHECK(fcntl(file, F_SETFL, O_NONBLOCK) == 0);
    CHECK((fcntl(50, F_GETFL) & (O_ACCMODE | O_NONBLOCK)) == (O_RDWR | O_NONBLOCK));
    CHECK(fcntl(file, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK);
    FAILS(ioctl(file, TIOCGWINSZ, &lock), ENOTTY);
    CHECK(close(50) == 0 && close(51) == 0 && close(60) == 0 && close(61) == 0);
    CHECK(close(other) == 0 && close(file) == 0);
}

static void mappings(void)
{
    int file = open("a", O_RDWR);
    char *bytes = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), byte = 0;

    CHECK(bytes != MAP_FAILED);
    bytes[1] = 'Z';
    CHECK(msync(bytes, 4096, MS_SYNC) == 0 && pread(file, &byte, 1, 1) == 1 && byte == 'Z');
    CHECK(munmap(bytes, 8192) == 0 && size_of("a") == 1003);
    bytes = mmap(NULL, 100, PROT_READ, MAP_PRIVATE, file, 0);
    CHECK(bytes != MAP_FAILED && bytes[1] == 'Z' && bytes[2000] == 0);
    CHECK(munmap(bytes, 100) == 0 && close(file) == 0);
}

static void memory_and_devices(void)
{
    int shared = shm_open("/files-test", O_RDWR | O_CREAT | O_EXCL, 0600), device;
    FILE *temporary = tmpfile();
    char text[16] = "";

    CHECK(shared >= 0 && write(shared, "text", 4) == 4);
    CHECK(lseek(shared, 0, SEEK_SET) == 0 && read(shared, text, 9) == 4);
    CHECK(shm_unlink("/files-test") == 0 && close(shared) == 0);
    FAILS(shm_unlink("/files-test"), ENOENT);
    CHECK(temporary != NULL && fputs("temporary", temporary) >= 0);
    rewind(temporary);
    CHECK(fgets(text, sizeof text, temporary) != NULL && strcmp(text, "temporary") == 0 && fclose(temporary) == 0);
    device = open("/dev/zero", O_RDWR);
    CHECK(read(device, text, 9) == 9 && text[0] == 0 && text[8] == 0);
    CHECK(write(device, text, 9) == 9 && close(device) == 0);
    device = open("/dev/null", O_RDWR);
    CHECK(read(device, text, 9) == 0 && write(device, text, 9) == 9 && close(device) == 0);
    device = open("/dev/full", O_WRONLY);
    FAILS(write(device, text, 1), ENOSPC);
    CHECK(close(device) == 0);
}

static void large_files(void)
{
    int file = open64("large", O_RDWR | O_CREAT, 0644);
    struct stat64 known;
    unsigned int old[64];

    CHECK(ftruncate64(file, 5000000000LL) == 0 && fstat64(file, &known) == 0 && known.st_size == 5000000000LL);
    /* The system call for programs without large-file support. Its sizes have 32 bits. */
    FAILS(syscall(SYS_fstat, file, old), EOVERFLOW);
    CHECK(pwrite64(file, "x", 1, 4999999999LL) == 1 && lseek64(file, 0, SEEK_END) == 5000000000LL);
    CHECK(close(file) == 0 && unlink("large") == 0);
}

int main(void)
{
    CHECK(mkdir("files.tmp", 0755) == 0 && chdir("files.tmp") == 0);
    reading_and_writing();
    opening();
    names();
    times();
    directories();
    descriptors();
    mappings();
    memory_and_devices();
    large_files();
    CHECK(unlink("a") == 0 && chdir("..") == 0 && rmdir("files.tmp") == 0);
    puts("files, directories and descriptors");
    return 0;
}
