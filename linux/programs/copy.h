/* The interface between the PPE side and the SPE side of copy.c. */
#ifndef COPY_H
#define COPY_H

struct copy_job {
    unsigned long long from, to, bytes, unused;
};

#endif
