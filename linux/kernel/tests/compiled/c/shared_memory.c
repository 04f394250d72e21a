/* System V shared memory, through the C library (which uses ipc) and through the system calls of its own. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define KEY 0x1234abcd
#define PAGE 4096
#define BYTES (3 * PAGE + 100)
#define FAILS(call, error) CHECK((errno = 0, (long)(call) == -1) && errno == (error))

static struct shmid_ds state(int id)
{
    struct shmid_ds known;

    memset(&known, 0x55, sizeof known);
    CHECK(shmctl(id, IPC_STAT, &known) == 0);
    return known;
}

static void keys_lead_to_segments(void)
{
    int id, other;
    char *at;

    FAILS(shmget(KEY, BYTES, 0600), ENOENT);
    FAILS(shmget(KEY, 0, IPC_CREAT | 0600), EINVAL);
    id = shmget(KEY, BYTES, IPC_CREAT | 0640);
    CHECK(id >= 0 && shmget(KEY, 0, 0) == id && shmget(KEY, BYTES, IPC_CREAT | 0600) == id);
    FAILS(shmget(KEY, BYTES, IPC_CREAT | IPC_EXCL | 0600), EEXIST);
    FAILS(shmget(KEY, BYTES + 1, 0), EINVAL);
    FAILS(shmget(KEY, BYTES, 0111), EACCES);
    other = shmget(IPC_PRIVATE, PAGE, 0600);
    CHECK(other >= 0 && other != id);
    CHECK(shmctl(other, IPC_RMID, 0) == 0);
    FAILS(shmctl(other, IPC_RMID, 0), EINVAL);
    other = shmget(KEY + 1, PAGE, IPC_CREAT | 0400);
    FAILS(shmat(other, 0, 0), EACCES);
    at = shmat(other, 0, SHM_RDONLY);
    CHECK(*at == 0 && shmctl(other, IPC_RMID, 0) == 0 && *at == 0 && shmdt(at) == 0);
    CHECK(shmctl(id, IPC_RMID, 0) == 0);
    FAILS(shmget(KEY, 0, 0), ENOENT);
    FAILS(shmget(IPC_PRIVATE, 1u << 30, 0600), ENOMEM);
}

static void *read_word(void *at)
{
    return (void *)(long)*(volatile int *)at;
}

static void mappings_have_the_same_bytes(void)
{
    int id = shmget(KEY, BYTES, IPC_CREAT | 0600);
    volatile int *first = shmat(id, 0, 0), *second = shmat(id, 0, SHM_RDONLY);
    struct shmid_ds known;
    pthread_t thread;
    void *word;

    CHECK(first != (void *)-1 && second != (void *)-1 && first != second);
    first[BYTES / 4 - 1] = 7;
    first[0] = 8;
    CHECK(second[BYTES / 4 - 1] == 7 && second[0] == 8 && second[1] == 0);
    pthread_create(&thread, 0, read_word, (void *)(second + BYTES / 4 - 1));
    pthread_join(thread, &word);
    CHECK(word == (void *)7);
    known = state(id);
    CHECK(known.shm_nattch == 2 && known.shm_segsz == BYTES && known.shm_perm.__key == KEY);
    CHECK(known.shm_cpid == getpid() && known.shm_lpid == getpid() && (known.shm_perm.mode & 0777) == 0600);
    CHECK(known.shm_perm.uid == getuid() && known.shm_perm.cuid == getuid());
    CHECK(known.shm_atime == time(0) && known.shm_ctime == time(0) && known.shm_dtime == 0);
    CHECK(shmdt((void *)second) == 0 && state(id).shm_nattch == 1 && state(id).shm_dtime == time(0));
    FAILS(shmdt((void *)second), EINVAL);
    FAILS(shmdt((char *)first + PAGE), EINVAL);
    CHECK(shmdt((void *)first) == 0 && state(id).shm_nattch == 0);
    /* The bytes stay while nothing maps them. */
    first = shmat(id, 0, 0);
    CHECK(first[0] == 8 && first[BYTES / 4 - 1] == 7);
    CHECK(shmctl(id, IPC_RMID, 0) == 0);
    CHECK(state(id).shm_perm.mode == (0600 | 01000) && state(id).shm_perm.__key == IPC_PRIVATE);
    FAILS(shmget(KEY, 0, 0), ENOENT);
    second = shmat(id, 0, 0);
    CHECK(second[0] == 8);
    CHECK(shmdt((void *)first) == 0 && second[0] == 8 && shmdt((void *)second) == 0);
    FAILS(shmctl(id, IPC_STAT, &known), EINVAL);
    FAILS(shmat(id, 0, 0), EINVAL);
    /* The slot of the removed segment is that of the next. */
    CHECK((shmget(KEY, PAGE, IPC_CREAT | 0600) - id) % 32768 == 0);
    FAILS(shmat(id, 0, 0), EIDRM);
    CHECK(shmctl(shmget(KEY, 0, 0), IPC_RMID, 0) == 0);
}

static void addresses_are_chosen(void)
{
    int id = shmget(IPC_PRIVATE, 2 * PAGE, 0600);
    char *page = mmap(0, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK((int)SHMLBA == getpagesize());
    FAILS(shmat(id, page, 0), EINVAL);
    FAILS(shmat(id, 0, SHM_REMAP), EINVAL);
    FAILS(shmat(-1, 0, 0), EINVAL);
    page[0] = page[PAGE] = 1;
    CHECK(shmat(id, page + PAGE, SHM_REMAP) == page + PAGE);
    CHECK(page[0] == 1 && page[PAGE] == 0);
    CHECK(munmap(page, 4 * PAGE) == 0 && state(id).shm_nattch == 0);
    FAILS(shmat(id, page + 1, 0), EINVAL);
    CHECK(shmat(id, page + 1, SHM_RND) == page);
    page[0] = 2;
    page[PAGE] = 3;
    /* Parts of a mapping are mappings of their own. */
    CHECK(mprotect(page, PAGE, PROT_READ) == 0 && state(id).shm_nattch == 2);
    CHECK(munmap(page, PAGE) == 0 && state(id).shm_nattch == 1 && page[PAGE] == 3);
    CHECK(shmctl(id, IPC_RMID, 0) == 0 && page[PAGE] == 3);
    /* The last mapping of a removed segment may be replaced by another mapping of it. */
    CHECK(shmat(id, page, SHM_REMAP) == page && state(id).shm_nattch == 1 && page[PAGE] == 3);
    CHECK(shmdt(page) == 0);
    FAILS(shmdt(page), EINVAL);
    FAILS(shmctl(id, IPC_RMID, 0), EINVAL);
    /* An address that is rounded down to 0 is none. */
    id = shmget(IPC_PRIVATE, PAGE, 0600);
    FAILS(shmat(id, (void *)1, SHM_RND | SHM_REMAP), EINVAL);
    CHECK(shmdt(shmat(id, (void *)1, SHM_RND)) == 0 && shmctl(id, IPC_RMID, 0) == 0);
    if (sizeof(long) == 8) {
        FAILS(shmget(IPC_PRIVATE, (1ul << 16 << 16) + PAGE, 0600), ENOMEM);
        FAILS(mmap(0, (1ul << 16 << 16) + PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), ENOMEM);
    }
}

static void owners_and_limits(void)
{
    int id = shmget(KEY, PAGE, IPC_CREAT | 0600), last;
    struct shmid_ds known = state(id);
    struct shminfo limits;
    struct shm_info used;

    known.shm_perm.mode = 0400;
    known.shm_perm.uid = 5;
    CHECK(shmctl(id, IPC_SET, &known) == 0 && state(id).shm_perm.mode == 0400 && state(id).shm_perm.uid == 5);
    FAILS(shmat(id, 0, 0), EACCES);
    last = shmctl(0, IPC_INFO, (struct shmid_ds *)&limits);
    CHECK(last >= 0 && limits.shmmax > BYTES && limits.shmmin == 1 && limits.shmmni == 4096);
    CHECK(shmctl(0, SHM_INFO, (struct shmid_ds *)&used) == last && used.used_ids == 1 && used.shm_tot == 1);
    CHECK(shmctl(last, SHM_STAT, &known) == id && known.shm_segsz == PAGE);
    CHECK(shmctl(id, SHM_LOCK, 0) == 0 && state(id).shm_perm.mode == (0400 | 02000));
    CHECK(shmctl(id, SHM_UNLOCK, 0) == 0);
    FAILS(shmctl(id, 99, 0), EINVAL);
    FAILS(syscall(396, id, IPC_STAT, 8), EFAULT);
    CHECK(shmctl(id, IPC_RMID, 0) == 0);
}

/* The calls with numbers of their own have the same effect. */
static void direct_calls(void)
{
    struct shmid_ds known;
    int id = syscall(395, KEY, BYTES, IPC_CREAT | 0600);
    char *at = (char *)syscall(397, id, 0, 0);

    CHECK(id >= 0 && shmget(KEY, 0, 0) == id && at != (char *)-1);
    at[BYTES - 1] = 9;
    CHECK(syscall(396, id, IPC_STAT, &known) == 0 && known.shm_nattch == 1 && known.shm_segsz == BYTES);
    CHECK(syscall(396, id, IPC_RMID, 0) == 0 && at[BYTES - 1] == 9);
    CHECK(syscall(398, at) == 0);
    FAILS(syscall(398, at), EINVAL);
}

/* Segments that are removed give their memory back: more of them than main memory holds at once. */
static void memory_comes_back(void)
{
    int n;

    for (n = 0; n < 8; n++) {
        int id = shmget(IPC_PRIVATE, 64 << 20, 0600);
        char *at = shmat(id, 0, 0);

        CHECK(at != (char *)-1 && shmctl(id, IPC_RMID, 0) == 0);
        CHECK(at[5] == 0 && at[63 << 20] == 0);
        at[5] = at[63 << 20] = 1;
        CHECK(shmdt(at) == 0);
    }
}

static void huge_pages(void)
{
    int id = shmget(IPC_PRIVATE, 100, SHM_HUGETLB | 0600);
    char *at = shmat(id, 0, 0);

    CHECK(at != (char *)-1 && (uintptr_t)at % (1 << 24) == 0);
    at[(1 << 24) - 1] = 1;
    CHECK(shmdt(at) == 0 && shmctl(id, IPC_RMID, 0) == 0);
}

/* An SPE's MFC puts bytes into one mapping, and gets them from the other. */
static void spes_reach_segments(void)
{
    struct {
        unsigned int pad, lsa;
        unsigned long long ea;
        unsigned short size, tag, class, command;
    } command = {0, 0x1000, 0, 64, 3, 0, 0x20};
    int id = shmget(IPC_PRIVATE, 2 * PAGE, 0600), spe, files[2];
    char *first = shmat(id, 0, 0), *second = shmat(id, 0, 0);
    unsigned int next = 0, event = 0, tags, bytes[16];

    spe = syscall(SYS_spu_create, "/spu/shared", 0, 0700, -1);
    files[0] = open("/spu/shared/mem", O_RDWR);
    files[1] = open("/spu/shared/mfc", O_RDWR);
    CHECK(spe >= 0 && files[0] >= 0 && files[1] >= 0);
    /* Word 0 of the local store is a stop, after which the context stays on its SPE. */
    CHECK(syscall(SYS_spu_run, spe, &next, &event) == 2);
    CHECK(pwrite(files[0], "seventeen and more than that: these are bytes of a local store.", 64, 0x1000) == 64);
    command.ea = (uintptr_t)(first + PAGE - 32 + 16);
    command.size = 16;
    CHECK(write(files[1], &command, sizeof command) == sizeof command);
    command.lsa += 16, command.ea = (uintptr_t)(second + PAGE);
    CHECK(write(files[1], &command, sizeof command) == sizeof command);
    CHECK(fsync(files[1]) == 0 && read(files[1], &tags, 4) == 4 && tags == 8);
    CHECK(memcmp(second + PAGE - 16, "seventeen and more than that: th", 32) == 0);
    memset(second, 0x44, 64);
    command.command = 0x40, command.lsa = 0x2000, command.ea = (uintptr_t)first, command.size = 64;
    CHECK(write(files[1], &command, sizeof command) == sizeof command && fsync(files[1]) == 0);
    CHECK(pread(files[0], bytes, 64, 0x2000) == 64 && bytes[0] == 0x44444444 && bytes[15] == 0x44444444);
    CHECK(shmdt(first) == 0 && shmdt(second) == 0 && shmctl(id, IPC_RMID, 0) == 0);
}

int main(void)
{
    keys_lead_to_segments();
    mappings_have_the_same_bytes();
    addresses_are_chosen();
    owners_and_limits();
    direct_calls();
    memory_comes_back();
    huge_pages();
    spes_reach_segments();
    puts("ok");
    return 0;
}
