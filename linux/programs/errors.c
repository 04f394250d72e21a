/* Errors of libspe2 for invalid arguments: each call fails with the documented errno.
 *
 *     cellstats run linux/programs/errors.elf
 *
 * Exit status: 0 if all calls fail correctly, otherwise 1, with a line that names the wrong call.
 */
#include "threads.h"

#include <fcntl.h>
#include <unistd.h>

extern spe_program_handle_t hello_spu;

#define GIVES_NULL(call, error) CHECK((errno = 0, (call) == NULL) && errno == (error))

static void no_context(void)
{
    unsigned int word = 0;
    spe_stop_info_t stop;

    FAILS(spe_context_destroy(NULL), ESRCH);
    FAILS(spe_gang_context_destroy(NULL), ESRCH);
    FAILS(spe_program_load(NULL, &hello_spu), ESRCH);
    FAILS(spe_context_run(NULL, &word, 0, NULL, NULL, NULL), ESRCH);
    FAILS(spe_stop_info_read(NULL, &stop), ESRCH);
    FAILS(spe_out_mbox_read(NULL, &word, 1), ESRCH);
    FAILS(spe_in_mbox_write(NULL, &word, 1, SPE_MBOX_ANY_BLOCKING), ESRCH);
    FAILS(spe_out_intr_mbox_read(NULL, &word, 1, SPE_MBOX_ANY_BLOCKING), ESRCH);
    FAILS(spe_out_mbox_status(NULL), ESRCH);
    FAILS(spe_in_mbox_status(NULL), ESRCH);
    FAILS(spe_out_intr_mbox_status(NULL), ESRCH);
    FAILS(spe_signal_write(NULL, SPE_SIG_NOTIFY_REG_1, 1), ESRCH);
    FAILS(spe_mssync_start(NULL), ESRCH);
    FAILS(spe_mssync_status(NULL), ESRCH);
    FAILS(spe_mfcio_get(NULL, 0, &word, 16, 0, 0, 0), ESRCH);
    FAILS(spe_mfcio_tag_status_read(NULL, 1, SPE_TAG_ALL, &word), ESRCH);
    FAILS(spe_ls_size_get(NULL), ESRCH);
    GIVES_NULL(spe_ls_area_get(NULL), ESRCH);
    GIVES_NULL(spe_ps_area_get(NULL, SPE_CONTROL_AREA), ESRCH);
}

static void wrong_arguments(spe_context_ptr_t spe)
{
    unsigned int word = 0;
    spe_program_handle_t none = {sizeof none, NULL, NULL}, text = {sizeof text, (void *)"not an image", NULL};

    FAILS(spe_context_run(spe, NULL, 0, NULL, NULL, NULL), EINVAL);
    FAILS(spe_program_load(spe, NULL), EINVAL);
    FAILS(spe_program_load(spe, &none), EINVAL);
    FAILS(spe_program_load(spe, &text), EINVAL);
    FAILS(spe_out_mbox_read(spe, NULL, 1), EINVAL);
    FAILS(spe_out_mbox_read(spe, &word, -1), EINVAL);
    FAILS(spe_in_mbox_write(spe, NULL, 1, SPE_MBOX_ANY_BLOCKING), EINVAL);
    FAILS(spe_in_mbox_write(spe, &word, -1, SPE_MBOX_ANY_BLOCKING), EINVAL);
    FAILS(spe_in_mbox_write(spe, &word, 1, 0), EINVAL);
    FAILS(spe_out_intr_mbox_read(spe, NULL, 1, SPE_MBOX_ANY_BLOCKING), EINVAL);
    FAILS(spe_out_intr_mbox_read(spe, &word, 0, SPE_MBOX_ANY_BLOCKING), EINVAL);
    FAILS(spe_out_intr_mbox_read(spe, &word, 1, 4), EINVAL);
    FAILS(spe_signal_write(spe, 3, 1), EINVAL);
    FAILS(spe_mfcio_tag_status_read(spe, 1, SPE_TAG_ALL, NULL), EINVAL);
    GIVES_NULL(spe_gang_context_create(1), EINVAL);
}

static void machine(void)
{
    int nodes = spe_cpu_info_get(SPE_COUNT_PHYSICAL_CPU_NODES, -1), node, spes = 0;

    CHECK(nodes > 0);
    for (node = 0; node < nodes; node++)
        spes += spe_cpu_info_get(SPE_COUNT_PHYSICAL_SPES, node);
    CHECK(spes == spe_cpu_info_get(SPE_COUNT_PHYSICAL_SPES, -1));
    CHECK(spe_cpu_info_get(SPE_COUNT_USABLE_SPES, -1) <= spes);
    FAILS(spe_cpu_info_get(SPE_COUNT_PHYSICAL_CPU_NODES, 0), EINVAL);
    FAILS(spe_cpu_info_get(SPE_COUNT_PHYSICAL_SPES, nodes), EINVAL);
    FAILS(spe_cpu_info_get(99, -1), EINVAL);
}

static void events(spe_context_ptr_t without)
{
    spe_context_ptr_t with = spe_context_create(SPE_EVENTS_ENABLE, NULL);
    spe_event_handler_ptr_t handler = spe_event_handler_create();
    spe_event_unit_t unit = {.events = SPE_EVENT_IN_MBOX, .spe = with};
    spe_stop_info_t stop;

    CHECK(with && handler);
    FAILS(spe_event_handler_register(NULL, &unit), ESRCH);
    FAILS(spe_event_handler_register(handler, NULL), EINVAL);
    FAILS(spe_event_wait(NULL, &unit, 1, 0), ESRCH);
    FAILS(spe_event_wait(handler, NULL, 1, 0), EINVAL);
    FAILS(spe_event_wait(handler, &unit, 0, 0), EINVAL);
    FAILS(spe_event_handler_destroy(NULL), ESRCH);
    FAILS(spe_stop_info_read(without, &stop), ENOTSUP);
    FAILS(spe_stop_info_read(with, &stop), EAGAIN);
    unit.events = ~0u;
    FAILS(spe_event_handler_register(handler, &unit), ENOTSUP);
    FAILS(spe_event_handler_deregister(handler, &unit), ENOTSUP);
    unit.events = SPE_EVENT_IN_MBOX;
    unit.spe = without;
    FAILS(spe_event_handler_register(handler, &unit), ENOTSUP);
    FAILS(spe_event_handler_deregister(handler, &unit), ENOTSUP);
    unit.spe = NULL;
    FAILS(spe_event_handler_register(handler, &unit), EINVAL);
    FAILS(spe_event_handler_deregister(handler, &unit), EINVAL);
    CHECK(spe_event_handler_destroy(handler) == 0);
    CHECK(spe_context_destroy(with) == 0);
}

static void make(const char *name, int mode)
{
    int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, mode);

    CHECK(file >= 0 && write(file, "\177ELF, or not", 12) == 12 && close(file) == 0);
}

/* Files that are not SPU programs. The library leaves none of them open. */
static void images(const char *self)
{
    const char *name = "errors.tmp";
    int next = dup(0), file;

    CHECK(next >= 0 && close(next) == 0);
    GIVES_NULL(spe_image_open("there/is/none"), ENOENT);
    GIVES_NULL(spe_image_open(NULL), EINVAL);
    make(name, 0600);
    if (getuid() != 0)
        GIVES_NULL(spe_image_open(name), EACCES);
    CHECK(unlink(name) == 0);
    make(name, 0700);
    GIVES_NULL(spe_image_open(name), EINVAL);
    CHECK(unlink(name) == 0);
    GIVES_NULL(spe_image_open(self), EINVAL);
    FAILS(spe_image_close(NULL), EINVAL);
    file = dup(0);
    CHECK(file == next && close(file) == 0);
}

int main(int argc, char **argv)
{
    spe_context_ptr_t spe = spe_context_create(0, NULL);

    (void)argc;
    CHECK(spe != NULL);
    no_context();
    wrong_arguments(spe);
    machine();
    events(spe);
    images(argv[0]);
    CHECK(spe_context_destroy(spe) == 0);
    printf("every mistake is told\n");
    return 0;
}
