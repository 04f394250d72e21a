/* The SPE side of posix.c: files, directories and memory of the PPE.
 *
 * The exit status is the line number of the first failed check, limited to 255. The program ends there and
 * leaves its files behind.
 */
#include <sys/types.h>
#include <dirent.h>
#include <ea.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check_spu.h"
#include "posix.h"
#include "spe.h"

#define DIRECTORY "posix_spu.d"
#define FILE_NAME DIRECTORY "/file"

static int files(void)
{
    struct iovec pieces[2] = {{"two ", 4}, {"pieces", 6}};
    char bytes[16] = "", more[8] = "";
    struct stat known;
    int file;

    CHECK(mkdir(DIRECTORY, 0755) == 0 && mkdir(DIRECTORY, 0755) == -1 && errno == EEXIST);
    file = open(FILE_NAME, O_CREAT | O_RDWR, 0644);
    CHECK(file >= 3 && write(file, "0123456789", 10) == 10);
    CHECK(fstat(file, &known) == 0 && known.st_size == 10 && S_ISREG(known.st_mode));
    CHECK(lseek(file, 2, SEEK_SET) == 2 && read(file, bytes, 4) == 4 && memcmp(bytes, "2345", 4) == 0);
    CHECK(pread(file, bytes, 3, 7) == 3 && memcmp(bytes, "789", 3) == 0);
    CHECK(pwrite(file, "X", 1, 0) == 1 && ftruncate(file, 5) == 0);
    CHECK(lseek(file, 0, SEEK_END) == 5 && writev(file, pieces, 2) == 10);
    pieces[0].iov_base = bytes;
    pieces[0].iov_len = 9;
    pieces[1].iov_base = more;
    CHECK(lseek(file, 0, SEEK_SET) == 0 && readv(file, pieces, 2) == 15);
    CHECK(memcmp(bytes, "X1234two ", 9) == 0 && memcmp(more, "pieces", 6) == 0);
    CHECK(dup2(file, 20) == 20 && close(file) == 0 && close(20) == 0 && close(20) == -1 && errno == EBADF);
    CHECK(stat(FILE_NAME, &known) == 0 && known.st_size == 15 && access(FILE_NAME, F_OK) == 0);
    return 0;
}

static int directories(void)
{
    int found = 0, others = 0;
    char here[200];
    struct dirent *entry;
    DIR *directory = opendir(DIRECTORY);

    CHECK(directory != NULL);
    while ((entry = readdir(directory)))
        if (strcmp(entry->d_name, "file") == 0)
            found++;
        else
            others += entry->d_name[0] == '.';
    CHECK(found == 1 && others == 2 && closedir(directory) == 0);
    CHECK(opendir("no such directory") == NULL && errno == ENOENT);
    CHECK(getcwd(here, sizeof here) == here && here[0] == '/');
    CHECK(unlink(FILE_NAME) == 0 && rmdir(DIRECTORY) == 0);
    CHECK(access(DIRECTORY, F_OK) == -1 && errno == ENOENT);
    CHECK(sched_yield() == 0 && getpagesize() >= 4096);
    return 0;
}

static unsigned int words[WORDS] __attribute__((aligned(128)));

static int memory(ea_t report)
{
    __ea unsigned int *small = malloc_ea(100);
    __ea void *block = NULL;
    int n;

    CHECK(small != NULL);
    small = realloc_ea(small, 4096);
    CHECK(small != NULL);
    free_ea(small);
    CHECK(posix_memalign_ea(&block, 128, sizeof words) == 0 && (unsigned int)block % 128 == 0);
    for (n = 0; n < WORDS; n++)
        words[n] = 5 * n;
    put_and_wait(words, (unsigned int)block, sizeof words);
    line[0] = (unsigned int)block;
    put_and_wait(line, report, sizeof line);
    return 0;
}

int main(unsigned long long speid, unsigned long long report)
{
    int wrong = files();

    (void)speid;
    if (!wrong)
        wrong = directories();
    return wrong ? wrong : memory(report);
}
