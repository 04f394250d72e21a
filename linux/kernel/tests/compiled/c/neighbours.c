/* More contexts than SPEs: each context puts data into the local store of the next context and signals
 * that context, through mappings of spufs.
 *
 * The next context may not be on an SPE at that moment. The data then goes into its saved local store, and the signal
 * waits until the context is on an SPE again. The waiting context occupies an SPE that the next context needs, so
 * time slices must end the wait. No byte and no signal may be lost while contexts are saved and restored.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "neighbours.h"

#define CONTEXTS 8
#define LOCAL_STORE_BYTES 0x40000

static const unsigned int CODE[] = {
#include "neighbours_spu.h"
};

struct context {
    int directory;
    char *local_store, *signal;
    int status;
    pthread_t thread;
};

static struct context contexts[CONTEXTS];

static void *mapped(int n, const char *file, unsigned int bytes)
{
    char path[64];
    int descriptor;
    void *at;

    snprintf(path, sizeof path, "/spu/neighbour%d/%s", n, file);
    descriptor = open(path, O_RDWR);
    CHECK(descriptor >= 0);
    at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    CHECK(at != MAP_FAILED);
    return at;
}

static void create(int n)
{
    char path[64];

    snprintf(path, sizeof path, "/spu/neighbour%d", n);
    contexts[n].directory = syscall(SYS_spu_create, path, 0, 0700, -1);
    CHECK(contexts[n].directory >= 0);
    contexts[n].local_store = mapped(n, "mem", LOCAL_STORE_BYTES);
    contexts[n].signal = mapped(n, "signal1", 0x1000);
}

/* The file of a local store and its mapping have the same contents. */
static void both_ways(int n)
{
    unsigned int *mapped = (unsigned int *)(contexts[n].local_store + 0x2000), word = 7;
    char path[64];
    int descriptor;

    snprintf(path, sizeof path, "/spu/neighbour%d/mem", n);
    descriptor = open(path, O_RDWR);
    mapped[1] = 8;
    CHECK(pwrite(descriptor, &word, 4, 0x2000) == 4);
    CHECK(mapped[0] == 7 && mapped[1] == 8);
    CHECK(pread(descriptor, &word, 4, 0x2004) == 4 && word == 8);
    CHECK(close(descriptor) == 0);
}

static void *run(void *given)
{
    struct context *context = given;
    unsigned int next = 0, event = 0;

    context->status = syscall(SYS_spu_run, context->directory, &next, &event);
    return NULL;
}

int main(void)
{
    int n;

    for (n = 0; n < CONTEXTS; n++) {
        create(n);
        both_ways(n);
    }
    for (n = 0; n < CONTEXTS; n++) {
        struct context *next = &contexts[(n + 1) % CONTEXTS];
        struct control control = {n, (n + CONTEXTS - 1) % CONTEXTS, (unsigned long)next->local_store,
                                  (unsigned long)next->signal + 0xc, 0, 0};

        __builtin_memcpy(contexts[n].local_store, CODE, sizeof CODE);
        *(volatile struct control *)(contexts[n].local_store + CONTROL) = control;
    }
    for (n = 0; n < CONTEXTS; n++)
        CHECK(pthread_create(&contexts[n].thread, NULL, run, &contexts[n]) == 0);
    for (n = 0; n < CONTEXTS; n++) {
        volatile struct control *control = (volatile struct control *)(contexts[n].local_store + CONTROL);

        CHECK(pthread_join(contexts[n].thread, NULL) == 0);
        CHECK(contexts[n].status == (STOP << 16 | 2));
        CHECK(control->rounds == ROUNDS);
        CHECK(control->wrong == 0);
    }
    printf("ok\n");
    return 0;
}
