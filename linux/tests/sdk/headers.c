/* The PPE's intrinsics of the compiler beside the SDK's headers. Ends with the status of headers_spu, which it
 * runs. */
#include <ppu_intrinsics.h>

#include <libspe2.h>
#include <libsync.h>
#include <simdmath.h>

extern spe_program_handle_t headers_spu;

static unsigned int word __attribute__((aligned(128)));

int main(void)
{
    spe_context_ptr_t spe = spe_context_create(0, NULL);
    unsigned int entry = SPE_DEFAULT_ENTRY;
    unsigned long long begun = __mftb();
    spe_stop_info_t stop;

    do
        __lwarx(&word);
    while (!__stwcx(&word, 7));
    __sync();
    __dcbt(&word);
    if (word != 7 || __cntlzw(word) != 29 || __mftb() < begun)
        return 10;
    if (vec_any_ne(sqrtf4((vec_float4){4, 4, 4, 4}), ((vec_float4){2, 2, 2, 2})))
        return 11;
    if (!spe || spe_program_load(spe, &headers_spu) || spe_context_run(spe, &entry, 0, NULL, NULL, &stop))
        return 12;
    return stop.stop_reason == SPE_EXIT ? stop.result.spe_exit_code : 13;
}
