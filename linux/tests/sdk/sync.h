/* What all workers of sync.c do, on either side. They share a struct of words, each in a line of its own. */
#ifndef SYNC_H
#define SYNC_H

#include <libsync.h>
#include <stddef.h>

enum { SPES = 6, PPE_THREADS = 2, WORKERS = SPES + PPE_THREADS, ROUNDS = 5 };

typedef struct {
    int value, unused[31];
} word_t;

struct shared {
    word_t atomic, sum, mutex, guarded, tried, positive;
    word_t barrier_mutex, barrier_cond, arrived, turn, late;
    word_t lock, first, second, torn;
    word_t all, each, passed, ended;
};

#define AT(member) (shared + offsetof(struct shared, member))

/* Not atomic: each side has its own. */
static int get(eaddr_t ea);
static void put(eaddr_t ea, int value);

static void wait_for_all_workers(eaddr_t shared, int turn)
{
    mutex_lock(AT(barrier_mutex));
    put(AT(arrived), get(AT(arrived)) + 1);
    if (get(AT(arrived)) == WORKERS) {
        put(AT(arrived), 0);
        put(AT(turn), turn + 1);
        cond_broadcast(AT(barrier_cond));
    } else {
        while (get(AT(turn)) == turn)
            cond_wait(AT(barrier_cond), AT(barrier_mutex));
    }
    mutex_unlock(AT(barrier_mutex));
}

static void write_or_read_a_pair(eaddr_t shared, int round)
{
    if (round % 2) {
        write_lock(AT(lock));
        put(AT(first), get(AT(first)) + 1);
        put(AT(second), get(AT(second)) + 1);
        write_unlock(AT(lock));
    } else {
        read_lock(AT(lock));
        if (get(AT(first)) != get(AT(second)))
            atomic_inc(AT(torn));
        read_unlock(AT(lock));
    }
}

static void work(eaddr_t shared)
{
    int round;

    wait_for_completion(AT(all));
    for (round = 0; round < ROUNDS; round++) {
        atomic_inc(AT(atomic));
        atomic_add(round, AT(sum));
        atomic_sub(1, AT(sum));
        if (atomic_dec_if_positive(AT(positive)) >= 0)
            atomic_inc(AT(passed));
        mutex_lock(AT(mutex));
        put(AT(guarded), get(AT(guarded)) + 1);
        mutex_unlock(AT(mutex));
        while (!mutex_trylock(AT(mutex)))
            ;
        put(AT(tried), get(AT(tried)) + 1);
        mutex_unlock(AT(mutex));
        write_or_read_a_pair(shared, round);
        wait_for_all_workers(shared, round);
        /* Nobody is a round ahead of a worker that has not left the barrier. */
        if (atomic_read(AT(atomic)) < (round + 1) * WORKERS)
            atomic_inc(AT(late));
    }
    wait_for_completion(AT(each));
    atomic_inc(AT(ended));
}

#endif
