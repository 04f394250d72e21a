/* A stack that runs over its end, for tests: it grows down over the program.  Compiled twice, and with -fstack-check
 * the program looks at what is left first, and halts.
 */
volatile int depth = 1000;

static int deep(int more)
{
    volatile char room[1024];

    room[0] = more;
    return more == 0 ? 0 : deep(more - 1) + room[0];
}

int main(void)
{
    return deep(depth);
}
