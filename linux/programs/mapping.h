/* The interface between the PPE side and the SPE side of mapping.c. */
#ifndef MAPPING_H
#define MAPPING_H

/* A part of the local store that the program's sections and stack do not use. */
#define BLOCK_AT 0x20000u
#define BLOCK_BYTES 4096u
#define HELLO 0x68656c6cu

enum { DOUBLE, SEND, TALK };

struct mapping_job {
    unsigned int kind, unused;
    unsigned long long ea;
} __attribute__((aligned(16)));

#endif
