/* What PPE and SPE side of copy.c agree on. */
#ifndef COPY_H
#define COPY_H

struct copy_job {
    unsigned long long from, to, bytes, unused;
};

#endif
