/* Carries out steps on the SPU's channels, which a test puts into the block `steps` before the program starts.
 *
 * Exit status: 0 if every channel answered as expected, otherwise the number of the first step that did not, counted
 * from 1, modulo 251. The place `answer` then holds the channel's answer.
 */
#include <spu_intrinsics.h>
#include <spu_mfcio.h>
#include <stdint.h>

#define STEPS_MAX 256
/* The base of the effective addresses that values refer to. */
enum { NOTHING, OWN_HIGH, OWN_LOW, MEMORY_HIGH, MEMORY_LOW };
enum { READ, COUNT, WRITE, STORE, WAIT };

/* The test writes this block. */
volatile struct {
    uint32_t bases[5];
    uint32_t count;
    struct {
        uint32_t operation, place, base, value;
        uint32_t checked;
    } list[STEPS_MAX];
} steps __attribute__((aligned(128), section(".data"))) = {{0}, 0, {{0}}};
volatile uint32_t answer;

#define EACH_READ(f) f(0) f(3) f(4) f(8) f(11) f(12) f(13) f(15) f(24) f(25) f(27) f(29)
#define EACH_WRITE(f) \
    f(1) f(2) f(7) f(9) f(14) f(16) f(17) f(18) f(19) f(20) f(21) f(22) f(23) f(26) f(28) f(30)

/* The channel's number is part of the instruction. */
#define READ_CASE(n) case n: return spu_readch(n);
#define COUNT_CASE(n) case n: return spu_readchcnt(n);
#define WRITE_CASE(n) case n: spu_writech(n, value); break;

static uint32_t read_channel(uint32_t channel)
{
    switch (channel) { EACH_READ(READ_CASE) }
    return 0xdeadbeef;
}

static uint32_t count_channel(uint32_t channel)
{
    switch (channel) { EACH_READ(COUNT_CASE) EACH_WRITE(COUNT_CASE) }
    return 0xdeadbeef;
}

static void write_channel(uint32_t channel, uint32_t value)
{
    switch (channel) { EACH_WRITE(WRITE_CASE) }
}

static void pause(uint32_t cycles)
{
    uint32_t n;

    /* An iteration takes two cycles at least. */
    for (n = 0; n < cycles / 2; n++)
        __asm__ volatile("");
}

static uint32_t carry_out(uint32_t operation, uint32_t place, uint32_t value)
{
    switch (operation) {
    case READ:
        return read_channel(place);
    case COUNT:
        return count_channel(place);
    case WRITE:
        write_channel(place, value);
        break;
    case STORE:
        *(volatile uint32_t *)place = value;
        spu_sync();
        break;
    default:
        pause(value);
    }
    return 0;
}

int main(void)
{
    uint32_t n;

    for (n = 0; n < steps.count; n++) {
        uint32_t value = steps.bases[steps.list[n].base] + steps.list[n].value;
        uint32_t got = carry_out(steps.list[n].operation, steps.list[n].place, value);

        if (steps.list[n].checked && got != value) {
            answer = got;
            return 1 + n % 250;
        }
    }
    return 0;
}
