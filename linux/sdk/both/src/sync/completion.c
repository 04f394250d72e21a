/* Completions of <libsync.h>. */
#include <libsync.h>

void init_completion(completion_ea_t completion)
{
    _init_completion(completion);
}

void wait_for_completion(completion_ea_t completion)
{
    _wait_for_completion(completion);
}

void complete(completion_ea_t completion)
{
    _complete(completion);
}

void complete_all(completion_ea_t completion)
{
    _complete_all(completion);
}
