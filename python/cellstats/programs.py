"""Small programs that issue the same requests as their Rust versions (`cellstats.spu.native`).

Each function returns a program for `cellstats.run`. The function's docstring lists the program's
requests in order. An mfc_* command is six channel writes (LSA, EAH, EAL, Size, TagID, Cmd). The
programs do not compute; all of their time is communication.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from cellstats._native import UsageError
from cellstats.architecture import MFC_MAX_DMA_SIZE, Register, register_ea
from cellstats.spu import Spu

AsyncProgram = Callable[[Spu], Coroutine[Any, Any, int]]

# A 4-byte put needs the same low four bits in both addresses. SPU_In_Mbox's address ends in 0xC.
MESSAGE_LSA = 0x100C
MESSAGE_TAG = 0
MESSAGE = 0x50494E47

# One buffer for each tag.
BUFFER_LSA = (0x1_0000, 0x2_0000)


def ping(iterations: int, partner_spe: int) -> AsyncProgram:
    """Repeatedly write to the mailbox of the physical SPE `partner_spe` and wait for the reply.

    once:           store MESSAGE at MESSAGE_LSA in the local store (no request)
    each iteration: mark; mfc_put of 4 bytes, tag 0; read SPU_RdInMbox
    at the end:     write MFC_WrTagMask 1; write MFC_WrTagUpdate 2; read MFC_RdTagStat; stop 0
    """
    mailbox_ea = register_ea(partner_spe, Register.SPU_In_Mbox)

    async def program(spu: Spu) -> int:
        spu.store_word(MESSAGE_LSA, MESSAGE)
        async for _ in spu.iterations(iterations):
            await spu.mfc_put(MESSAGE_LSA, mailbox_ea, 4, MESSAGE_TAG)
            await spu.spu_read_in_mbox()
        await spu.mfc_write_tag_mask(1 << MESSAGE_TAG)
        await spu.mfc_read_tag_status_all()
        return 0

    return program


def pong(iterations: int, partner_spe: int) -> AsyncProgram:
    """Repeatedly wait for a message and reply to the mailbox of `partner_spe`.

    once:           store MESSAGE at MESSAGE_LSA in the local store (no request)
    each iteration: mark; read SPU_RdInMbox; mfc_put of 4 bytes, tag 0
    at the end:     write MFC_WrTagMask 1; write MFC_WrTagUpdate 2; read MFC_RdTagStat; stop 0
    """
    mailbox_ea = register_ea(partner_spe, Register.SPU_In_Mbox)

    async def program(spu: Spu) -> int:
        spu.store_word(MESSAGE_LSA, MESSAGE)
        async for _ in spu.iterations(iterations):
            await spu.spu_read_in_mbox()
            await spu.mfc_put(MESSAGE_LSA, mailbox_ea, 4, MESSAGE_TAG)
        await spu.mfc_write_tag_mask(1 << MESSAGE_TAG)
        await spu.mfc_read_tag_status_all()
        return 0

    return program


def double_buffered_copy(
    source_ea: int, target_ea: int, total_bytes: int, chunk_bytes: int
) -> AsyncProgram:
    """Copy main memory through two buffers, ordered by fenced commands instead of waits.

    Each buffer has its own tag group. The getf that refills a buffer waits for the putf that
    empties it. The putf waits for the getf that filled the buffer. The two groups are independent:
    one buffer fills while the other drains. The SPU stalls only when the MFC command queue is full,
    and waits for the tag groups only at the end.

    chunk i = 0, 1, ...: mfc_getf of chunk i, tag i % 2; mfc_putf of chunk i, tag i % 2
    at the end:          write MFC_WrTagMask 3; write MFC_WrTagUpdate 2; read MFC_RdTagStat; stop 0

    The program sets no marks, because every chunk has different addresses and no iteration repeats.
    """
    if not 0 < chunk_bytes <= MFC_MAX_DMA_SIZE or chunk_bytes % 16 or total_bytes % chunk_bytes:
        raise UsageError(
            f"cannot copy {total_bytes} bytes in chunks of {chunk_bytes}; the chunk must be a "
            f"multiple of 16 up to {MFC_MAX_DMA_SIZE}, and the total a multiple of the chunk"
        )

    async def program(spu: Spu) -> int:
        for offset in range(0, total_bytes, chunk_bytes):
            tag = offset // chunk_bytes % 2
            await spu.mfc_getf(BUFFER_LSA[tag], source_ea + offset, chunk_bytes, tag)
            await spu.mfc_putf(BUFFER_LSA[tag], target_ea + offset, chunk_bytes, tag)
        await spu.mfc_write_tag_mask(0b11)
        await spu.mfc_read_tag_status_all()
        return 0

    return program
