/* Arguments and results of library calls. */
#include "call.h"

#include <string.h>

char *pointer(const struct call *call, int nth, unsigned int bytes)
{
    unsigned int address = word(call, nth) & (LOCAL_STORE_BYTES - 1);

    if (bytes > LOCAL_STORE_BYTES - address) {
        errno = EFAULT;
        return NULL;
    }
    return at(call, address);
}

char *text(const struct call *call, int nth)
{
    char *start = pointer(call, nth, 0);

    if (!memchr(start, 0, call->local_store + LOCAL_STORE_BYTES - start)) {
        errno = EFAULT;
        return NULL;
    }
    return start;
}

int carry_out(const struct function *functions, unsigned int count, void *local_store, unsigned int word)
{
    struct call call = {local_store, word & 0xffffff};
    unsigned int number = word >> 24;
    int result;

    if (number >= count || !functions[number].carry_out) {
        answer(&call, -1, ENOSYS);
        return 0;
    }
    errno = 0;
    result = functions[number].carry_out(&call);
    answer(&call, result, result == functions[number].failed ? errno : 0);
    return 0;
}

struct arguments variable_arguments(const struct call *call, int nth)
{
    struct arguments arguments = {call, word(call, nth), word(call, nth + 1)};

    return arguments;
}

char *next_argument(struct arguments *arguments)
{
    const unsigned int head_of_frame_bytes = 32;
    char *here = at(arguments->call, arguments->next & ~15u);

    arguments->next += SLOT_BYTES;
    if (((arguments->next ^ arguments->registers_end) & (LOCAL_STORE_BYTES - 1)) == 0)
        arguments->next += head_of_frame_bytes;
    return here;
}

enum length parse_length(const char **format)
{
    enum length length = WORD;

    for (;; ++*format) {
        switch (**format) {
        case 'h':
            length = length == SHORT ? CHAR : SHORT;
            break;
        case 'j':
        case 'q':
            length = LONG_LONG;
            break;
        case 'l':
            length = length == LONG ? LONG_LONG : LONG;
            break;
        case 'z':
        case 't':
            break;
        case 'L':
            length = LONG;
            break;
        default:
            return length;
        }
    }
}

const char *host_length(enum length length)
{
    static const char *const LENGTHS[] = {
        [CHAR] = "hh", [SHORT] = "h", [WORD] = "", [LONG] = "", [LONG_LONG] = "ll"};

    return LENGTHS[length];
}

void store_integer(enum length length, char *to, int value)
{
    if (length == CHAR)
        *to = value;
    else if (length == SHORT)
        *(short *)to = value;
    else if (length == LONG_LONG)
        *(long long *)to = value;
    else
        *(int *)to = value;
}
