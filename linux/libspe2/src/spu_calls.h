/* The kernel's interface: flags of spu_create(2) and the path of spufs(7). */
#ifndef SPU_CALLS_H
#define SPU_CALLS_H

#define SPUFS_ROOT "/spu"

#define SPU_CREATE_EVENTS_ENABLED 0x0001
#define SPU_CREATE_GANG 0x0002
#define SPU_CREATE_NOSCHED 0x0004
#define SPU_CREATE_ISOLATE 0x0008
#define SPU_CREATE_AFFINITY_SPU 0x0010
#define SPU_CREATE_AFFINITY_MEM 0x0020

/* Events that spu_run(2) reports besides SPE_DMA_...: the SPU refused an instruction. */
#define SPU_EVENT_SPE_ERROR 0x0010

#endif
