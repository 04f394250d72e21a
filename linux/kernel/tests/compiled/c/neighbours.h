/* The interface between the PPE side and the SPE side of neighbours.c. */

struct control {
    unsigned int own, previous;
    unsigned int next_local_store, next_signal; /* effective addresses */
    unsigned int rounds, wrong;                 /* results */
};

#define ROUNDS 24
#define STOP 0x11
#define CONTROL 0x3000
#define SIGNAL 0x3100
#define OUT 0x4000
/* A context can be ahead of the next one by as many rounds as there are contexts. */
#define SLOTS 0x10000
#define SLOT_COUNT 16
#define SLOT_BYTES 2048
#define VALUE(context, round, n) ((context) << 24 | (round) << 12 | (n))
