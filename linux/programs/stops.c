/* Stops: with user-defined codes, after which the program continues; for calls of the PPE; and exits.
 *
 *     cellstats run linux/programs/stops.elf
 *
 * The SPE stops with codes from 1 to 0x1fff and continues after each. The SPE then calls a handler that the
 * PPE has registered; the handler reads and writes the arguments in the local store. The SPE then exits. The
 * program runs three more times: with registers that the PPE sets, without handlers, and with a failing handler.
 *
 * Exit status: 0 if every stop was reported correctly, otherwise 1, with a line that names the error.
 */
#include "threads.h"

#include "stops.h"

extern spe_program_handle_t stops_spu;

static int handled;

/* Adds the two words of the call's arguments. Stores the sum in the first word. */
static int add(void *local_store, unsigned int address)
{
    unsigned int word = *(unsigned int *)((char *)local_store + address);
    unsigned int *arguments = (unsigned int *)((char *)local_store + (word & 0x3fff0));

    CHECK(word >> 24 == FUNCTION);
    arguments[0] += arguments[4];
    handled++;
    return 0;
}

static int fail(void *local_store, unsigned int address)
{
    (void)local_store;
    (void)address;
    return -77;
}

static void expect_stop(spe_context_ptr_t spe, unsigned int *entry, int code)
{
    spe_stop_info_t stop;

    CHECK(spe_context_run(spe, entry, 0, (void *)FIRST, (void *)SECOND, &stop) == code);
    CHECK(stop.stop_reason == SPE_STOP_AND_SIGNAL && stop.result.spe_signal_code == code);
    CHECK(stop.spu_status == (code << 16 | SPE_SPU_STOPPED_BY_STOP));
}

static void expect_exit(spe_context_ptr_t spe, unsigned int *entry, int status)
{
    spe_stop_info_t stop;

    CHECK(spe_context_run(spe, entry, 0, (void *)FIRST, (void *)SECOND, &stop) == 0);
    CHECK(stop.stop_reason == SPE_EXIT && stop.result.spe_exit_code == status);
}

static void expect_user_stops(spe_context_ptr_t spe, unsigned int *entry)
{
    expect_stop(spe, entry, 1);
    expect_stop(spe, entry, 0x123);
    expect_stop(spe, entry, 0x1fff);
}

/* Registers that the program sets. Each is a quadword, of which main uses the first doubleword. */
static void user_registers(spe_context_ptr_t spe)
{
    unsigned long long registers[3][2] = {{0, 0}, {FIRST, 0}, {SECOND, 0}};
    unsigned int entry = SPE_DEFAULT_ENTRY;

    CHECK(spe_context_run(spe, &entry, SPE_RUN_USER_REGS, registers, NULL, NULL) == 1);
    CHECK(spe_context_run(spe, &entry, 0, NULL, NULL, NULL) == 0x123);
    CHECK(spe_context_run(spe, &entry, 0, NULL, NULL, NULL) == 0x1fff);
    expect_exit(spe, &entry, 42);
}

/* Without handlers, the call is a plain stop. The PPE skips the word after the stop instruction. */
static void no_callbacks(spe_context_ptr_t spe)
{
    unsigned int entry = SPE_DEFAULT_ENTRY;
    spe_stop_info_t stop;

    expect_user_stops(spe, &entry);
    CHECK(spe_context_run(spe, &entry, SPE_NO_CALLBACKS, NULL, NULL, &stop) == 0x2100 + CALL);
    CHECK(stop.stop_reason == SPE_STOP_AND_SIGNAL);
    entry += 4;
    expect_exit(spe, &entry, 43);
}

static void failing_callback(spe_context_ptr_t spe)
{
    unsigned int entry = SPE_DEFAULT_ENTRY;
    spe_stop_info_t stop;

    CHECK(spe_callback_handler_register(fail, CALL, SPE_CALLBACK_UPDATE) == 0);
    expect_user_stops(spe, &entry);
    CHECK(spe_context_run(spe, &entry, 0, NULL, NULL, &stop) == -1 && errno == EFAULT);
    CHECK(stop.stop_reason == SPE_CALLBACK_ERROR && stop.result.spe_callback_error == -77);
}

static void registration(void)
{
    CHECK(spe_callback_handler_query(CALL) == NULL && errno == ESRCH);
    CHECK(spe_callback_handler_register(add, CALL, SPE_CALLBACK_UPDATE) == -1 && errno == ESRCH);
    CHECK(spe_callback_handler_register(add, CALL, SPE_CALLBACK_NEW) == 0);
    CHECK(spe_callback_handler_register(add, CALL, SPE_CALLBACK_NEW) == -1 && errno == EACCES);
    CHECK(spe_callback_handler_register(add, 256, SPE_CALLBACK_NEW) == -1 && errno == EINVAL);
    CHECK(spe_callback_handler_register(NULL, CALL, SPE_CALLBACK_NEW) == -1 && errno == EINVAL);
    CHECK(spe_callback_handler_query(CALL) == (void *)add && spe_callback_handler_query(0) != NULL);
    CHECK(spe_callback_handler_deregister(0) == -1 && errno == EACCES);
}

int main(void)
{
    spe_context_ptr_t spe = loaded(&stops_spu, 0);
    unsigned int entry = SPE_DEFAULT_ENTRY;

    registration();
    expect_user_stops(spe, &entry);
    expect_exit(spe, &entry, 42);
    CHECK(handled == 1);
    user_registers(spe);
    CHECK(handled == 2);
    no_callbacks(spe);
    failing_callback(spe);
    CHECK(spe_callback_handler_deregister(CALL) == 0);
    CHECK(spe_callback_handler_deregister(CALL) == -1 && errno == ESRCH);
    CHECK(spe_context_destroy(spe) == 0);
    printf("every stop was told, and every program went on\n");
    return 0;
}
