/* The interface between the PPE side and the SPE side of abs.c. */
#ifndef ABS_H
#define ABS_H

#define NUMBERS 4096

struct abs_job {
    unsigned long long from, to; /* effective addresses of NUMBERS floats each */
};

#endif
