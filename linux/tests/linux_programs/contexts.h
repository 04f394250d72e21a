/* What a context of contexts.c gets. */
struct job {
    /* Its number among the contexts of its program, and their number. */
    unsigned int number, count;
    /* Whether it sends first and reads then. */
    unsigned int begins;
    /* Address of the next context's signal register. */
    unsigned int next;
    char padding[112];
};
