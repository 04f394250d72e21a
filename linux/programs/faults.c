/* SPE programs with forbidden accesses and instructions, and the reports that the PPE receives.
 *
 *     cellstats run linux/programs/faults.elf
 *
 * Each faulting program runs in a context with SPE_EVENTS_ENABLE, where spe_context_run and an event report
 * the fault. If Linux has a signal for the fault, the program also runs in a context without that flag, where
 * Linux calls a signal handler and the run is interrupted.
 *
 * Exit status: 0 if each fault was reported correctly, otherwise 1, with a line that names the wrong report.
 */
#include "threads.h"

#include <signal.h>
#include <sys/mman.h>

#include "faults.h"

extern spe_program_handle_t faults_spu;

static volatile sig_atomic_t signalled;

static void note(int signal)
{
    signalled = signal;
}

static int run(spe_context_ptr_t spe, int fault, void *ea, spe_stop_info_t *stop)
{
    unsigned int entry = SPE_DEFAULT_ENTRY;

    return spe_context_run(spe, &entry, 0, (void *)(long)fault, ea, stop);
}

static void reported(int fault, void *ea, unsigned int reason, int result)
{
    spe_context_ptr_t spe = loaded(&faults_spu, SPE_EVENTS_ENABLE);
    spe_event_handler_ptr_t handler = spe_event_handler_create();
    spe_event_unit_t unit = {.events = SPE_EVENT_SPE_STOPPED, .spe = spe};
    spe_stop_info_t stop, event;

    CHECK(handler && spe_event_handler_register(handler, &unit) == 0);
    CHECK(run(spe, fault, ea, &stop) == -1);
    CHECK(stop.stop_reason == reason && stop.result.spe_runtime_error == result);
    CHECK(spe_event_wait(handler, &unit, 1, 0) == 1 && unit.events == SPE_EVENT_SPE_STOPPED);
    CHECK(spe_stop_info_read(spe, &event) == 0);
    CHECK(event.stop_reason == reason && event.result.spe_runtime_error == result);
    CHECK(spe_event_handler_destroy(handler) == 0);
    CHECK(spe_context_destroy(spe) == 0);
}

static void as_signal(int fault, void *ea, int one, int other)
{
    spe_context_ptr_t spe = loaded(&faults_spu, 0);
    spe_stop_info_t stop;

    signalled = 0;
    CHECK(run(spe, fault, ea, &stop) == -1);
    CHECK(signalled == one || signalled == other);
    CHECK(stop.stop_reason == SPE_RUNTIME_FATAL && stop.result.spe_runtime_fatal == EINTR);
    CHECK(spe_context_destroy(spe) == 0);
}

static void catch_signals(void)
{
    static const int SIGNALS[] = {SIGILL, SIGBUS, SIGSEGV};
    struct sigaction action;
    unsigned int n;

    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    for (n = 0; n < sizeof SIGNALS / sizeof SIGNALS[0]; n++)
        CHECK(sigaction(SIGNALS[n], &action, NULL) == 0);
}

int main(int argc, char **argv)
{
    void *good = lines(4096);
    void *read_only = mmap(NULL, 65536, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)argv;
    CHECK(read_only != MAP_FAILED);
    reported(HALT, NULL, SPE_RUNTIME_ERROR, SPE_SPU_HALT);
    reported(INSTRUCTION, NULL, SPE_RUNTIME_ERROR, SPE_SPU_INVALID_INSTR);
    reported(MISALIGNED_DMA, good, SPE_RUNTIME_EXCEPTION, SPE_DMA_ALIGNMENT);
    reported(DMA, read_only, SPE_RUNTIME_EXCEPTION, SPE_DMA_STORAGE);
    reported(DMA, (void *)0x40, SPE_RUNTIME_EXCEPTION, SPE_DMA_STORAGE);
    reported(INVALID_COMMAND, good, SPE_RUNTIME_EXCEPTION, SPE_INVALID_DMA);
    catch_signals();
    as_signal(INSTRUCTION, NULL, SIGILL, SIGILL);
    as_signal(MISALIGNED_DMA, good, SIGBUS, SIGBUS);
    as_signal(DMA, read_only, SIGSEGV, SIGBUS);
    as_signal(INVALID_COMMAND, good, SIGBUS, SIGBUS);
    printf("ten faults, each reported as what it is\n");
    fflush(stdout);
    /* With an argument: the signal of a fault without a handler ends the program. */
    signal(SIGILL, SIG_DFL);
    if (argc > 1)
        as_signal(INSTRUCTION, NULL, SIGILL, SIGILL);
    return 0;
}
