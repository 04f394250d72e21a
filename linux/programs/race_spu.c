/* The SPE side of race.c. */
#include <stddef.h>

#include "race.h"
#include "spe.h"

#define TEXT_AT offsetof(struct race, length)
#define LOADED (sizeof(struct race) - TEXT_AT)

/* A copy of the data that the lock guards, fetched after taking the lock. */
static struct {
    volatile unsigned int length, unused[3];
    char text[TEXT_BYTES];
} copy __attribute__((aligned(128)));

static unsigned int taken(unsigned int word)
{
    (void)word;
    return 1;
}

static unsigned int released(unsigned int word)
{
    (void)word;
    return 0;
}

static unsigned int one_more(unsigned int word)
{
    return word + 1;
}

int main(unsigned long long speid, unsigned long long race, unsigned long long letter)
{
    int n;

    (void)speid;
    update(race + offsetof(struct race, ready), one_more);
    for (n = 0; n < TURNS; n++) {
        while (update(race, taken))
            ;
        get_and_wait(&copy, race + TEXT_AT, LOADED);
        copy.text[copy.length++] = (char)letter;
        put_and_wait(&copy, race + TEXT_AT, LOADED);
        update(race, released);
    }
    return 0;
}
