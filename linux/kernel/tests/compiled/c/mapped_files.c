/* Mapped files: private mappings, and shared mappings whose changes reach the file. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

int main(void)
{
    char page[PAGE], text[16];
    int file = open("file", O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0);
    for (char c = 'a'; c <= 'c'; c++) {
        memset(page, c, PAGE);
        CHECK(write(file, page, c == 'c' ? 100 : PAGE) > 0);
    }
    char *own = mmap(0, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    char *shared = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, PAGE);
    char *read_only = mmap(0, PAGE, PROT_READ, MAP_SHARED, file, PAGE);
    CHECK(own != MAP_FAILED && shared != MAP_FAILED && read_only != MAP_FAILED);
    CHECK(own[0] == 'a' && own[PAGE] == 'b' && own[2 * PAGE + 99] == 'c' && own[2 * PAGE + 100] == 0);
    CHECK(shared[0] == 'b' && shared[PAGE] == 'c' && read_only[7] == 'b');
    strcpy(own, "private");
    strcpy(shared, "shared");
    strcpy(shared + PAGE, "end");
    CHECK(msync(shared, PAGE, MS_SYNC) == 0);
    CHECK(pread(file, text, 8, 0) == 8 && memcmp(text, "aaaaaaaa", 8) == 0);
    CHECK(pread(file, text, 7, PAGE) == 7 && strcmp(text, "shared") == 0);
    strcpy(shared + 8, "again");
    CHECK(munmap(shared, 2 * PAGE) == 0);
    CHECK(pread(file, text, 6, PAGE + 8) == 6 && strcmp(text, "again") == 0);
    CHECK(pread(file, text, 4, 2 * PAGE) == 4 && strcmp(text, "end") == 0);
    CHECK(lseek(file, 0, SEEK_END) == 2 * PAGE + 100);
    CHECK(mmap(0, PAGE, PROT_READ, MAP_PRIVATE, file, 100) == MAP_FAILED && errno == EINVAL);
    close(file);
    file = open("file", O_RDONLY);
    CHECK(mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED && errno == EACCES);
    CHECK(mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0) != MAP_FAILED);
    puts("ok");
    return 0;
}
