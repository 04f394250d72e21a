/* Library calls of POSIX.1: files by number, directories, time.
 *
 * Calls for processes (wait, waitpid), System V shared memory and adjtimex are left out, and fail with ENOSYS.
 */
#include "call.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

/* Most functions take one or two texts or numbers and return an int. */
#define WITH_NUMBERS(name, expression) \
    static int name(const struct call *call)       \
    {                                              \
        (void)call;                                \
        return expression;                         \
    }
#define WITH_PATH(name, expression)                \
    static int name(const struct call *call)       \
    {                                              \
        const char *path = text(call, 0);          \
                                                   \
        return path ? expression : -1;             \
    }
#define WITH_PATHS(name, expression)                                \
    static int name(const struct call *call)                        \
    {                                                               \
        const char *path = text(call, 0), *other = text(call, 1);   \
                                                                    \
        return path && other ? expression : -1;                     \
    }
/* Argument `nth` points to bytes, and the next argument is their number. */
#define WITH_BYTES(name, nth, expression)                                              \
    static int name(const struct call *call)                                           \
    {                                                                                  \
        char *bytes = pointer(call, nth, word(call, nth + 1));                         \
                                                                                       \
        return bytes ? expression : -1;                                                \
    }
#define N(nth) ((int)word(call, nth))

WITH_NUMBERS(do_close, close(N(0)))
WITH_NUMBERS(do_dup, dup(N(0)))
WITH_NUMBERS(do_dup2, dup2(N(0), N(1)))
WITH_NUMBERS(do_fchdir, fchdir(N(0)))
WITH_NUMBERS(do_fchmod, fchmod(N(0), N(1)))
WITH_NUMBERS(do_fchown, fchown(N(0), N(1), N(2)))
WITH_NUMBERS(do_fdatasync, fdatasync(N(0)))
WITH_NUMBERS(do_fsync, fsync(N(0)))
WITH_NUMBERS(do_ftruncate, ftruncate(N(0), N(1)))
WITH_NUMBERS(do_getpagesize, getpagesize())
WITH_NUMBERS(do_kill, kill(N(0), N(1)))
WITH_NUMBERS(do_lockf, lockf(N(0), N(1), N(2)))
WITH_NUMBERS(do_lseek, (int)lseek(N(0), N(1), N(2)))
WITH_NUMBERS(do_sched_yield, sched_yield())
WITH_NUMBERS(do_sync, (sync(), 0))
WITH_NUMBERS(do_umask, (int)umask(N(0)))

WITH_PATH(do_access, access(path, N(1)))
WITH_PATH(do_chdir, chdir(path))
WITH_PATH(do_chmod, chmod(path, N(1)))
WITH_PATH(do_chown, chown(path, N(1), N(2)))
WITH_PATH(do_creat, creat(path, N(1)))
WITH_PATH(do_ftok, (int)ftok(path, N(1)))
WITH_PATH(do_lchown, lchown(path, N(1), N(2)))
WITH_PATH(do_mkdir, mkdir(path, N(1)))
WITH_PATH(do_mknod, mknod(path, N(1), N(2)))
WITH_PATH(do_mkstemp, mkstemp((char *)path))
WITH_PATH(do_open, open(path, N(1), N(2)))
WITH_PATH(do_rmdir, rmdir(path))
WITH_PATH(do_shm_open, shm_open(path, N(1), N(2)))
WITH_PATH(do_shm_unlink, shm_unlink(path))
WITH_PATH(do_truncate, truncate(path, N(1)))
WITH_PATH(do_unlink, unlink(path))
WITH_PATHS(do_link, link(path, other))
WITH_PATHS(do_symlink, symlink(path, other))

WITH_BYTES(do_pread, 1, (int)pread(N(0), bytes, N(2), N(3)))
WITH_BYTES(do_pwrite, 1, (int)pwrite(N(0), bytes, N(2), N(3)))
WITH_BYTES(do_read, 1, (int)read(N(0), bytes, N(2)))
WITH_BYTES(do_write, 1, (int)write(N(0), bytes, N(2)))
WITH_BYTES(do_getcwd, 0, (getcwd(bytes, N(1)) ? N(0) : 0))

static int do_readlink(const struct call *call)
{
    const char *path = text(call, 0);
    char *bytes = pointer(call, 1, word(call, 2));

    return path && bytes ? (int)readlink(path, bytes, word(call, 2)) : -1;
}

/* Stores the `struct stat` of the calls: 13 words. */
static int store_stat(const struct call *call, const struct stat *known)
{
    unsigned int words[] = {
        known->st_dev,  known->st_ino,     known->st_mode,   known->st_nlink, known->st_uid,
        known->st_gid,  known->st_rdev,    known->st_size,   known->st_blksize, known->st_blocks,
        known->st_atime, known->st_mtime,  known->st_ctime,
    };
    char *to = pointer(call, 1, sizeof words);

    if (!to)
        return -1;
    memcpy(to, words, sizeof words);
    return 0;
}

static int do_fstat(const struct call *call)
{
    struct stat known;

    return fstat(word(call, 0), &known) ? -1 : store_stat(call, &known);
}

static int do_stat(const struct call *call)
{
    const char *path = text(call, 0);
    struct stat known;

    return !path || stat(path, &known) ? -1 : store_stat(call, &known);
}

static int do_lstat(const struct call *call)
{
    const char *path = text(call, 0);
    struct stat known;

    return !path || lstat(path, &known) ? -1 : store_stat(call, &known);
}

/* Each part of a time is one word, as it was on the host when these calls were defined. */
static int do_gettimeofday(const struct call *call)
{
    int *words = (int *)pointer(call, 0, 8);
    struct timeval now;

    if (!words || gettimeofday(&now, NULL))
        return -1;
    if (word(call, 0)) {
        words[0] = now.tv_sec;
        words[1] = now.tv_usec;
    }
    return 0;
}

static int do_time(const struct call *call)
{
    int *place = word(call, 0) ? (int *)pointer(call, 0, 4) : NULL;
    int now = time(NULL);

    if (place)
        *place = now;
    return now;
}

static int do_nanosleep(const struct call *call)
{
    int *asked = (int *)pointer(call, 0, 8), *left = (int *)pointer(call, 1, 8);
    struct timespec time, rest;

    if (!asked || !left)
        return -1;
    time.tv_sec = asked[0];
    time.tv_nsec = asked[1];
    if (nanosleep(&time, &rest) == 0)
        return 0;
    if (word(call, 1)) {
        left[0] = rest.tv_sec;
        left[1] = rest.tv_nsec;
    }
    return -1;
}

static int do_utime(const struct call *call)
{
    const char *path = text(call, 0);
    int *words = (int *)pointer(call, 1, 8);
    struct utimbuf times;

    if (!path || !words)
        return -1;
    times.actime = words[0];
    times.modtime = words[1];
    return utime(path, word(call, 1) ? &times : NULL);
}

static int do_utimes(const struct call *call)
{
    const char *path = text(call, 0);
    int *words = (int *)pointer(call, 1, 16);
    struct timeval times[2];

    if (!path || !words)
        return -1;
    times[0].tv_sec = words[0];
    times[0].tv_usec = words[1];
    times[1].tv_sec = words[2];
    times[1].tv_usec = words[3];
    return utimes(path, word(call, 1) ? times : NULL);
}

/* Replaces the last six characters of the path. Uses mkstemp, because mktemp is deprecated. */
static int do_mktemp(const struct call *call)
{
    char *path = text(call, 0);
    int file = path ? mkstemp(path) : -1;

    if (file < 0)
        return 0;
    close(file);
    unlink(path);
    return word(call, 0);
}

/* readv and writev, one vector element after the other. */
static int each_piece(const struct call *call, ssize_t (*move)(int, char *, size_t))
{
    unsigned int count = word(call, 2), n;
    unsigned int *pieces = count <= IOV_MAX ? (unsigned int *)pointer(call, 1, 8 * count) : NULL;
    int moved = 0;

    for (n = 0; pieces && n < count; n++) {
        unsigned int address = pieces[2 * n] & (LOCAL_STORE_BYTES - 1), bytes = pieces[2 * n + 1];
        ssize_t now;

        if (bytes > LOCAL_STORE_BYTES - address) {
            errno = EFAULT;
            return moved ? moved : -1;
        }
        now = move(word(call, 0), at(call, address), bytes);
        if (now < 0)
            return moved ? moved : -1;
        moved += now;
        if ((unsigned int)now < bytes)
            break;
    }
    return pieces ? moved : -1;
}

static ssize_t read_piece(int file, char *bytes, size_t n)
{
    return read(file, bytes, n);
}

static ssize_t write_piece(int file, char *bytes, size_t n)
{
    return write(file, bytes, n);
}

WITH_NUMBERS(do_readv, each_piece(call, read_piece))
WITH_NUMBERS(do_writev, each_piece(call, write_piece))

/* Directories: a doubleword of the SPE program's DIR is the host's pointer. */
static DIR *directory(const struct call *call)
{
    return (DIR *)(unsigned long)doubleword(call, 0);
}

static int do_closedir(const struct call *call)
{
    return closedir(directory(call));
}

static int do_readdir(const struct call *call)
{
    struct dirent *found = readdir(directory(call));
    char *to = pointer(call, 1, 4 + sizeof found->d_name);

    if (!found || !to)
        return 0;
    *(unsigned int *)to = found->d_ino;
    strcpy(to + 4, found->d_name);
    return word(call, 1);
}

WITH_NUMBERS(do_rewinddir, (rewinddir(directory(call)), 0))
WITH_NUMBERS(do_seekdir, (seekdir(directory(call), N(1)), 0))
WITH_NUMBERS(do_telldir, (int)telldir(directory(call)))
WITH_NUMBERS(do_munmap, munmap((void *)(unsigned long)doubleword(call, 0), word(call, 1)))
WITH_NUMBERS(do_msync, msync((void *)(unsigned long)doubleword(call, 0), word(call, 1), N(2)))

/* The functions by number. */
static const struct function POSIX1[] = {
    [2] = {do_close, -1},      [3] = {do_creat, -1},      [4] = {do_fstat, -1},      [5] = {do_ftok, -1},
    [6] = {do_getpagesize, -1}, [7] = {do_gettimeofday, -1}, [8] = {do_kill, -1},    [9] = {do_lseek, -1},
    [10] = {do_lstat, -1},     [13] = {do_msync, -1},     [14] = {do_munmap, -1},    [15] = {do_open, -1},
    [16] = {do_read, -1},      [21] = {do_shm_open, -1},  [22] = {do_shm_unlink, -1}, [23] = {do_stat, -1},
    [24] = {do_unlink, -1},    [27] = {do_write, -1},     [28] = {do_ftruncate, -1}, [29] = {do_access, -1},
    [30] = {do_dup, -1},       [31] = {do_time, -1},      [32] = {do_nanosleep, -1}, [33] = {do_chdir, -1},
    [34] = {do_fchdir, -1},    [35] = {do_mkdir, -1},     [36] = {do_mknod, -1},     [37] = {do_rmdir, -1},
    [38] = {do_chmod, -1},     [39] = {do_fchmod, -1},    [40] = {do_chown, -1},     [41] = {do_fchown, -1},
    [42] = {do_lchown, -1},    [43] = {do_getcwd, 0},     [44] = {do_link, -1},      [45] = {do_symlink, -1},
    [46] = {do_readlink, -1},  [47] = {do_sync, -1},      [48] = {do_fsync, -1},     [49] = {do_fdatasync, -1},
    [50] = {do_dup2, -1},      [51] = {do_lockf, -1},     [52] = {do_truncate, -1},  [53] = {do_mkstemp, -1},
    [54] = {do_mktemp, 0},     [56] = {do_closedir, -1},  [57] = {do_readdir, 0},    [58] = {do_rewinddir, -1},
    [59] = {do_seekdir, -1},   [60] = {do_telldir, -1},   [61] = {do_sched_yield, -1}, [62] = {do_umask, -1},
    [63] = {do_utime, -1},     [64] = {do_utimes, -1},    [65] = {do_pread, -1},     [66] = {do_pwrite, -1},
    [67] = {do_readv, -1},     [68] = {do_writev, -1},
};

enum { MMAP = 11, MREMAP = 12, OPENDIR = 55 };

/* Returns a doubleword: an address of the PPE program. */
static int give_address(const struct call *call, void *address, void *failed)
{
    answer_doubleword(call, address == MAP_FAILED ? ~0ull : (unsigned long)address, address == failed ? errno : 0);
    return 0;
}

int call_posix1(void *local_store, unsigned int address)
{
    unsigned int behind = word_behind(local_store, address);
    struct call it = {local_store, behind & 0xffffff}, *call = &it;
    void *old = (void *)(unsigned long)doubleword(call, 0);

    switch (behind >> 24) {
    case MMAP:
        return give_address(call, mmap(old, word(call, 1), N(2), N(3), N(4), N(5)), MAP_FAILED);
    case MREMAP:
        return give_address(call, mremap(old, word(call, 1), word(call, 2), N(3)), MAP_FAILED);
    case OPENDIR:
        return give_address(call, text(call, 0) ? opendir(text(call, 0)) : NULL, NULL);
    default:
        return carry_out(POSIX1, sizeof POSIX1 / sizeof POSIX1[0], local_store, behind);
    }
}
