/* Mappings: their addresses, contents and permissions. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

static sigjmp_buf back;
static volatile siginfo_t last;

static void note(int number, siginfo_t *info, void *context)
{
    (void)context;
    last = *info;
    siglongjmp(back, number);
}

/* The signal that a store to an address raises, or 0. */
static int store(volatile char *at)
{
    int number = sigsetjmp(back, 1);
    if (number == 0)
        *at = 1;
    return number;
}

static int load(volatile char *at)
{
    int number = sigsetjmp(back, 1);
    if (number == 0)
        (void)*at;
    return number;
}

static char *map(void *at, size_t bytes, int flags)
{
    return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

static void mappings(void)
{
    char *a = map(0, 4 * PAGE, 0);
    CHECK(a != MAP_FAILED && (unsigned long)a % PAGE == 0);
    for (int i = 0; i < 4 * PAGE; i++)
        CHECK(a[i] == 0);
    memset(a, 7, 4 * PAGE);
    CHECK(munmap(a + PAGE, PAGE) == 0);
    CHECK(load(a + PAGE) == SIGSEGV && last.si_code == SEGV_MAPERR && last.si_addr == a + PAGE);
    CHECK(a[PAGE - 1] == 7 && a[2 * PAGE] == 7);
    CHECK(map(a + PAGE, PAGE, MAP_FIXED) == a + PAGE && a[PAGE] == 0 && a[2 * PAGE] == 7);
    CHECK(map(a, PAGE, MAP_FIXED_NOREPLACE) == MAP_FAILED && errno == EEXIST);
    CHECK(munmap(a, 4 * PAGE) == 0 && munmap(a, 4 * PAGE) == 0);
    CHECK(munmap(a + 1, PAGE) == -1 && errno == EINVAL);
    CHECK(mmap(0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
    CHECK(mmap(0, PAGE, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED && errno == EBADF);
}

static void protection(void)
{
    char *a = map(0, 3 * PAGE, 0);
    memset(a, 5, 3 * PAGE);
    CHECK(mprotect(a + PAGE, PAGE, PROT_READ) == 0);
    CHECK(store(a + PAGE + 3) == SIGSEGV && last.si_code == SEGV_ACCERR && last.si_addr == a + PAGE + 3);
    CHECK(load(a + PAGE + 3) == 0 && store(a) == 0 && store(a + 2 * PAGE) == 0);
    CHECK(mprotect(a + PAGE, PAGE, PROT_NONE) == 0 && load(a + PAGE) == SIGSEGV);
    CHECK(write(1, a + PAGE, 1) == -1 && errno == EFAULT);
    CHECK(mprotect(a + PAGE, PAGE, PROT_READ | PROT_WRITE) == 0 && a[PAGE + 3] == 5);
    CHECK(munmap(a, 3 * PAGE) == 0);
    CHECK(mprotect(a, PAGE, PROT_READ) == -1 && errno == ENOMEM);
}

static void resizing(void)
{
    char *a = map(0, 8 * PAGE, 0);
    CHECK(munmap(a + 2 * PAGE, 6 * PAGE) == 0);
    strcpy(a, "begin");
    strcpy(a + 2 * PAGE - 8, "end");
    CHECK(mremap(a, 2 * PAGE, 4 * PAGE, 0) == a && strcmp(a + 2 * PAGE - 8, "end") == 0 && a[3 * PAGE] == 0);
    char *b = map(a + 4 * PAGE, PAGE, MAP_FIXED);
    CHECK(b == a + 4 * PAGE);
    CHECK(mremap(a, 4 * PAGE, 6 * PAGE, 0) == MAP_FAILED && errno == ENOMEM);
    char *c = mremap(a, 4 * PAGE, 6 * PAGE, MREMAP_MAYMOVE);
    CHECK(c != MAP_FAILED && c != a && strcmp(c, "begin") == 0 && strcmp(c + 2 * PAGE - 8, "end") == 0);
    CHECK(load(a) == SIGSEGV);
    CHECK(mremap(c, 6 * PAGE, PAGE, 0) == c && load(c + PAGE) == SIGSEGV && strcmp(c, "begin") == 0);
    char *d = mremap(c, PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, a);
    CHECK(d == a && strcmp(a, "begin") == 0 && a[PAGE] == 0);
}

static void advice(void)
{
    char *a = map(0, 2 * PAGE, 0);
    memset(a, 9, 2 * PAGE);
    CHECK(madvise(a, PAGE, MADV_DONTNEED) == 0 && a[0] == 0 && a[PAGE] == 9);
    unsigned char in[2];
    CHECK(mincore(a, 2 * PAGE, in) == 0 && (in[1] & 1) == 1);
    CHECK(mlock(a, 2 * PAGE) == 0 && munlock(a, 2 * PAGE) == 0);
}

static void heap(void)
{
    char *old = sbrk(0);
    CHECK(sbrk(100000) == old && sbrk(0) == old + 100000);
    memset(old, 3, 100000);
    CHECK(sbrk(-100000) != (void *)-1 && sbrk(0) == old);
    CHECK(sbrk(100000) == old);
    CHECK(old[PAGE * 3] == 0);
    CHECK(sbrk(0x7fffffff) == (void *)-1 && errno == ENOMEM);
}

/* Code that the program writes at run time. */
static void code(void)
{
    unsigned *a = mmap(0, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#ifdef __powerpc64__
    /* A function pointer is the address of a descriptor: code, TOC pointer, environment. */
    void *volatile descriptor[3] = {a, 0, 0};
    int (*function)(void) = (int (*)(void))descriptor;
#else
    int (*function)(void) = (int (*)(void))a;
#endif
    for (int n = 1; n < 4; n++) {
        a[0] = 0x38600000 + n; /* li r3,n */
        a[1] = 0x4e800020;     /* blr */
        asm volatile("dcbst 0,%0; sync; icbi 0,%0; sync; isync" : : "r"(a) : "memory");
        CHECK(function() == n);
    }
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, 0);
    mappings();
    protection();
    resizing();
    advice();
    heap();
    code();
    CHECK(load(0) == SIGSEGV && last.si_addr == 0);
    puts("ok");
    return 0;
}
