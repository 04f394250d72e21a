/* Tries 64-bit mode without a C library.
 *
 *     cellstats run linux/programs/wide.elf
 *
 * The program calls through a function descriptor, counts more than 32 bits in CTR, and uses addresses
 * above 4 GB in storage and in a system call. It prints a line.
 *
 * Exit status: 0 if all was right, else the sum of 1 (addresses), 2 (descriptor), 4 (count) and 8 (system
 * call).
 */

typedef unsigned long u64;

enum { SYS_EXIT = 1, SYS_WRITE = 4, SYS_MMAP = 90 };

static long call(long number, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
    register long r0 __asm__("r0") = number;
    register u64 r3 __asm__("r3") = a;
    register u64 r4 __asm__("r4") = b;
    register u64 r5 __asm__("r5") = c;
    register u64 r6 __asm__("r6") = d;
    register u64 r7 __asm__("r7") = e;
    register u64 r8 __asm__("r8") = f;

    __asm__ volatile("sc\n\tbns+ 1f\n\tneg %1,%1\n1:"
                     : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8)
                     :
                     : "r9", "r10", "r11", "r12", "cr0", "ctr", "memory");
    return (long)r3;
}

static int twice(int n)
{
    return 2 * n;
}

/* Volatile, so that the compiler calls through the descriptor. */
static int (*volatile through)(int) = twice;

/* bdnz must count with 64 bits: after one step, 2^32 is not zero. */
static int count_is_wide(void)
{
    u64 left;

    __asm__("mtctr %1\n\tbdz 1f\n1:\tmfctr %0" : "=r"(left) : "r"(1UL << 32) : "ctr");
    return left == (1UL << 32) - 1;
}

void _start(void)
{
    static const char line[] = "hello from 64 bits\n";
    u64 page = call(SYS_MMAP, 0, 65536, 3, 0x22, -1UL, 0);
    int wrong = 0;

    if (page >> 32 == 0 || (long)page < 0)
        wrong |= 1;
    else
        *(volatile u64 *)(page + 8) = 7;
    if (through(21) != 42)
        wrong |= 2;
    if (!count_is_wide())
        wrong |= 4;
    if (call(SYS_WRITE, 1, page + (1UL << 40), 1, 0, 0, 0) != -14)
        wrong |= 8;
    call(SYS_WRITE, 1, (u64)line, sizeof line - 1, 0, 0, 0);
    call(SYS_EXIT, wrong, 0, 0, 0, 0, 0);
}
