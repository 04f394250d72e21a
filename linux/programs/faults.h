/* The interface between the PPE side and the SPE side of faults.c. */
#ifndef FAULTS_H
#define FAULTS_H

enum { HALT, INSTRUCTION, MISALIGNED_DMA, DMA, INVALID_COMMAND };

#endif
