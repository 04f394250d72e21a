/* A library call of an SPE program.
 *
 * The word after the stop instruction has the function's number in its highest byte, and the address of the
 * arguments in the local store in the rest. Each argument is at the start of a 16-byte slot. The result
 * replaces the first argument, with errno in the slot's last word. Pointers are addresses in the local store.
 * `int` has 32 bits on both sides, in the same byte order, so the host's functions can access the data in
 * place. `long` and pointers have 32 bits on the SPU, and those of a 64-bit program have 64.
 *
 * Sources: the stubs of newlib's port to the SPU; SPU Application Binary Interface.
 */
#ifndef CALL_H
#define CALL_H

#include "../internal.h"

#define SLOT_BYTES 16

struct call {
    char *local_store;
    unsigned int arguments; /* address of the first argument */
};

/* The word after a stop instruction, at `address`. */
static inline unsigned int word_behind(const void *local_store, unsigned int address)
{
    return *(const unsigned int *)((const char *)local_store + (address & (LOCAL_STORE_BYTES - 4)));
}

/* The host's pointer to an address in the local store. Addresses wrap around. */
static inline char *at(const struct call *call, unsigned int address)
{
    return call->local_store + (address & (LOCAL_STORE_BYTES - 1));
}

static inline char *slot(const struct call *call, int nth)
{
    return at(call, (call->arguments & ~15u) + SLOT_BYTES * nth);
}

static inline unsigned int word(const struct call *call, int nth)
{
    return *(unsigned int *)slot(call, nth);
}

static inline unsigned long long doubleword(const struct call *call, int nth)
{
    return *(unsigned long long *)slot(call, nth);
}

/* The host's pointer to the target of argument `nth`, with at least `bytes` bytes; otherwise NULL and EFAULT. */
char *pointer(const struct call *call, int nth, unsigned int bytes);
/* A text that ends within the local store; otherwise NULL and EFAULT. */
char *text(const struct call *call, int nth);

static inline void answer(const struct call *call, unsigned int result, int error)
{
    unsigned int *words = (unsigned int *)slot(call, 0);

    words[0] = result;
    words[1] = 0;
    words[2] = 0;
    words[3] = error;
}

static inline void answer_doubleword(const struct call *call, unsigned long long result, int error)
{
    answer(call, result >> 32, error);
    ((unsigned int *)slot(call, 0))[1] = (unsigned int)result;
}

/* A function of a library: its implementation, and the result that stands for a failure with errno. */
struct function {
    int (*carry_out)(const struct call *call);
    int failed;
};
/* Carries out the call that `word` describes. An unknown call fails with ENOSYS. */
int carry_out(const struct function *functions, unsigned int count, void *local_store, unsigned int word);

/* streams.c: the stream with this number, or NULL and EBADF. */
FILE *stream(unsigned int number);

/* A variable argument list of the SPU. Each argument has a slot. The list's second quadword has the end of
 * the arguments passed in registers. The remaining arguments follow the header of the caller's frame. */
struct arguments {
    const struct call *call;
    unsigned int next, registers_end;
};
struct arguments variable_arguments(const struct call *call, int nth);
char *next_argument(struct arguments *arguments);

/* print.c, scan.c: argument `nth` is the format, and the next argument is the argument list. */
int print_to_stream(const struct call *call, FILE *file, int nth);
int print_to_memory(const struct call *call, char *memory, unsigned int room, int nth);
int scan_stream(const struct call *call, FILE *file, int nth);
int scan_text(const struct call *call, const char *input, int nth);

/* Length modifiers of printf and scanf. */
enum length { CHAR, SHORT, WORD, LONG, LONG_LONG };
enum length parse_length(const char **format);
/* The modifier with which the host's functions use an integer of the SPU. */
const char *host_length(enum length length);
/* Stores a value as %n does. */
void store_integer(enum length length, char *to, int value);

#endif
