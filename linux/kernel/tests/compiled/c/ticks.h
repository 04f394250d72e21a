/* Ticks of a loop in which an instruction issues in every cycle, except after the branch. */
static long ticks(void)
{
    unsigned long before, after, a = 0, b = 0, c = 0, d = 0;
    __asm__ volatile("mtctr %6\n"
                     "mftb %0\n"
                     "1:\n"
                     ".rept 8\n"
                     "addi %2,%2,1\n"
                     "addi %3,%3,1\n"
                     "addi %4,%4,1\n"
                     "addi %5,%5,1\n"
                     ".endr\n"
                     "bdnz 1b\n"
                     "mftb %1\n"
                     : "=&r"(before), "=&r"(after), "+b"(a), "+b"(b), "+b"(c), "+b"(d)
                     : "r"(20000)
                     : "ctr");
    return after - before;
}
