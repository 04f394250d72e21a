/* What PPE and SPE side of faults.c agree on. */
#ifndef FAULTS_H
#define FAULTS_H

enum { HALT, INSTRUCTION, MISALIGNED_DMA, DMA, INVALID_COMMAND };

#endif
