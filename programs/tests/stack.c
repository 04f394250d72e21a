/* A stack overflow, for tests: the stack grows down over the program. The program is compiled twice. With
 * -fstack-check it checks the remaining space first, and halts.
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
