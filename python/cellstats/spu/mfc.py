"""The mfc_* macros of spu_mfcio.h: tag manager, address helpers, commands, status and control.

Local-store addresses (`ls`) and effective addresses (`ea`) are integers in bytes. `tag` is 0 to 31.
`tid` and `rid`, the transfer and replacement class, are optional. A command is in the queue when
its call returns; the status of its tag group shows its completion. The tag manager reserves the 32
tag groups and takes no simulated time.
"""

from collections.abc import Generator
from operator import index
from typing import SupportsIndex

from cellstats import architecture as cbea
from cellstats._native import UsageError
from cellstats.architecture import LINE_BYTES, MFC_TAG_INVALID, MFC_TAG_VALID, Channel, Command
from cellstats.spu.channels import SpuChannels, as_word
from cellstats.spu.door import Asked, Request, request

_TAGS = 32


class TagManager:
    """Reserves tags, with the return values of the C functions.

    >>> tags = TagManager()
    >>> tags.mfc_tag_reserve(), tags.mfc_multi_tag_reserve(4), tags.mfc_tag_reserve()
    (0, 1, 5)
    >>> tags.mfc_multi_tag_release(1, 4) == MFC_TAG_VALID
    True
    """

    __slots__ = ("_taken",)

    def __init__(self) -> None:
        self._taken = 0

    def mfc_tag_reserve(self) -> int:
        """Reserve the lowest free tag; returns MFC_TAG_INVALID when all tags are taken."""
        return self.mfc_multi_tag_reserve(1)

    def mfc_tag_release(self, tag: int) -> int:
        """Release a tag; returns MFC_TAG_INVALID when the tag was not reserved."""
        return self.mfc_multi_tag_release(tag, 1)

    def mfc_multi_tag_reserve(self, tags: int) -> int:
        """Reserve adjacent tags; returns the first tag, or MFC_TAG_INVALID if there are none."""
        for first in range(_TAGS - tags + 1 if tags > 0 else 0):
            wanted = _mask(first, tags)
            if not self._taken & wanted:
                self._taken |= wanted
                return first
        return MFC_TAG_INVALID

    def mfc_multi_tag_release(self, first: int, tags: int) -> int:
        """Release adjacent tags; returns MFC_TAG_INVALID unless all of them were reserved."""
        if first < 0 or tags <= 0 or first + tags > _TAGS:
            return MFC_TAG_INVALID
        wanted = _mask(first, tags)
        if self._taken & wanted != wanted:
            return MFC_TAG_INVALID
        self._taken &= ~wanted
        return MFC_TAG_VALID


def _mask(first: int, tags: int) -> int:
    return ((1 << tags) - 1) << first


def mfc_ea2h(ea: int) -> int:
    """The high 32 bits of an effective address. Raises UsageError if it is none of 64 bits."""
    if not isinstance(ea, SupportsIndex) or not 0 <= index(ea) < 1 << 64:
        raise UsageError(f"the effective address, {ea!r}, is not a whole number of 64 bits")
    return ea >> 32


def mfc_ea2l(ea: int) -> int:
    """The low 32 bits of an effective address."""
    return ea & 0xFFFF_FFFF


def mfc_hl2ea(high: int, low: int) -> int:
    """An effective address from its high and low 32 bits."""
    return (high & 0xFFFF_FFFF) << 32 | low & 0xFFFF_FFFF


def mfc_ceil128(value: int) -> int:
    """The next multiple of 128.

    >>> mfc_ceil128(1), mfc_ceil128(128)
    (128, 128)
    """
    return value + 127 & ~127


class MfcCommands(SpuChannels):
    """Commands of the memory flow controller."""

    __slots__ = ()

    @request
    def spu_mfcdma64(
        self, ls: int, eah: int, eal: int, size: int, tag: int, cmd: int
    ) -> Generator[Request, int, None]:
        """Queue a command: six channel writes, the last of which waits for a free queue entry."""
        yield ("write", Channel.MFC_LSA, as_word(ls, "the local-store address"))
        yield ("write", Channel.MFC_EAH, as_word(eah, "the high half of the address"))
        yield ("write", Channel.MFC_EAL, as_word(eal, "the low half of the address"))
        yield ("write", Channel.MFC_Size, as_word(size, "the size"))
        yield ("write", Channel.MFC_TagID, as_word(tag, "the tag"))
        yield ("write", Channel.MFC_Cmd, as_word(cmd, "the command"))

    @request
    def spu_mfcdma32(
        self, ls: int, eal: int, size: int, tag: int, cmd: int
    ) -> Generator[Request, int, None]:
        """Queue a command without the high half of the effective address: five channel writes."""
        yield ("write", Channel.MFC_LSA, as_word(ls, "the local-store address"))
        yield ("write", Channel.MFC_EAL, as_word(eal, "the low half of the address"))
        yield ("write", Channel.MFC_Size, as_word(size, "the size"))
        yield ("write", Channel.MFC_TagID, as_word(tag, "the tag"))
        yield ("write", Channel.MFC_Cmd, as_word(cmd, "the command"))

    def _move(
        self, cmd: Command, ls: int, ea: int, size: int, tag: int, tid: int, rid: int
    ) -> Asked[None]:
        word = tid << 24 | rid << 16 | cmd
        return self.spu_mfcdma64(ls, mfc_ea2h(ea), mfc_ea2l(ea), size, tag, word)

    def _move_list(
        self, cmd: Command, ls: int, ea: int, lsa: int, size: int, tag: int, tid: int, rid: int
    ) -> Asked[None]:
        word = tid << 24 | rid << 16 | cmd
        return self.spu_mfcdma64(ls, mfc_ea2h(ea), lsa, size, tag, word)

    def mfc_put(
        self, ls: int, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """Put: move data from local store to an effective address."""
        return self._move(Command.PUT, ls, ea, size, tag, tid, rid)

    def mfc_putf(
        self, ls: int, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """Put, ordered after all earlier commands of its tag group."""
        return self._move(Command.PUTF, ls, ea, size, tag, tid, rid)

    def mfc_putb(
        self, ls: int, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """Put, ordered after all earlier and before all later commands of its tag group."""
        return self._move(Command.PUTB, ls, ea, size, tag, tid, rid)

    def mfc_get(
        self, ls: int, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """Get: move data from an effective address to local store."""
        return self._move(Command.GET, ls, ea, size, tag, tid, rid)

    def mfc_getf(
        self, ls: int, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """Get, ordered after all earlier commands of its tag group."""
        return self._move(Command.GETF, ls, ea, size, tag, tid, rid)

    def mfc_getb(
        self, ls: int, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """Get, ordered after all earlier and before all later commands of its tag group."""
        return self._move(Command.GETB, ls, ea, size, tag, tid, rid)

    def mfc_putl(
        self, ls: int, ea: int, lsa: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """List put. The list has `size` bytes at `lsa`; only the high half of `ea` is used."""
        return self._move_list(Command.PUTL, ls, ea, lsa, size, tag, tid, rid)

    def mfc_putlf(
        self, ls: int, ea: int, lsa: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """List put with fence."""
        return self._move_list(Command.PUTLF, ls, ea, lsa, size, tag, tid, rid)

    def mfc_putlb(
        self, ls: int, ea: int, lsa: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """List put with barrier."""
        return self._move_list(Command.PUTLB, ls, ea, lsa, size, tag, tid, rid)

    def mfc_getl(
        self, ls: int, ea: int, lsa: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """List get. The list has `size` bytes at `lsa`; only the high half of `ea` is used."""
        return self._move_list(Command.GETL, ls, ea, lsa, size, tag, tid, rid)

    def mfc_getlf(
        self, ls: int, ea: int, lsa: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """List get with fence."""
        return self._move_list(Command.GETLF, ls, ea, lsa, size, tag, tid, rid)

    def mfc_getlb(
        self, ls: int, ea: int, lsa: int, size: int, tag: int, tid: int = 0, rid: int = 0
    ) -> Asked[None]:
        """List get with barrier."""
        return self._move_list(Command.GETLB, ls, ea, lsa, size, tag, tid, rid)

    def mfc_getllar(self, ls: int, ea: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Get the lock line at `ea` and reserve it; channel 27 receives a status at the end."""
        return self._move(Command.GETLLAR, ls, ea, LINE_BYTES, 0, tid, rid)

    def mfc_putllc(self, ls: int, ea: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Put the lock line if it is still reserved; channel 27 reports success or failure."""
        return self._move(Command.PUTLLC, ls, ea, LINE_BYTES, 0, tid, rid)

    def mfc_putlluc(self, ls: int, ea: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Put the lock line without a condition; channel 27 receives a status at the end."""
        return self._move(Command.PUTLLUC, ls, ea, LINE_BYTES, 0, tid, rid)

    def mfc_putqlluc(self, ls: int, ea: int, tag: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Put the lock line, queued and fenced in its tag group."""
        return self._move(Command.PUTQLLUC, ls, ea, LINE_BYTES, tag, tid, rid)

    def mfc_sndsig(self, ls: int, ea: int, tag: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Send the word at `ls` to a signal register."""
        return self._move(Command.SNDSIG, ls, ea, 4, tag, tid, rid)

    def mfc_sndsigb(self, ls: int, ea: int, tag: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Send a signal, with barrier."""
        return self._move(Command.SNDSIGB, ls, ea, 4, tag, tid, rid)

    def mfc_sndsigf(self, ls: int, ea: int, tag: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Send a signal, with fence."""
        return self._move(Command.SNDSIGF, ls, ea, 4, tag, tid, rid)

    def mfc_barrier(self, tag: int) -> Asked[None]:
        """Order the whole queue: later commands wait for all earlier ones."""
        return self.spu_mfcdma32(0, 0, 0, tag, Command.BARRIER)

    def mfc_eieio(self, tag: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Order the tag group's accesses as eieio does."""
        return self.spu_mfcdma32(0, 0, 0, tag, tid << 24 | rid << 16 | Command.EIEIO)

    def mfc_sync(self, tag: int) -> Asked[None]:
        """Order the tag group's accesses as sync does."""
        return self.spu_mfcdma32(0, 0, 0, tag, Command.SYNC)

    def mfc_sdcrt(self, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Touch a range for reading."""
        return self._move(Command.SDCRT, 0, ea, size, tag, tid, rid)

    def mfc_sdcrtst(self, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Touch a range for writing."""
        return self._move(Command.SDCRTST, 0, ea, size, tag, tid, rid)

    def mfc_sdcrz(self, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Set a range of lines to zero."""
        return self._move(Command.SDCRZ, 0, ea, size, tag, tid, rid)

    def mfc_sdcrst(self, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Write a range's modified lines back."""
        return self._move(Command.SDCRST, 0, ea, size, tag, tid, rid)

    def mfc_sdcrf(self, ea: int, size: int, tag: int, tid: int = 0, rid: int = 0) -> Asked[None]:
        """Write a range's modified lines back and invalidate the range."""
        return self._move(Command.SDCRF, 0, ea, size, tag, tid, rid)


class MfcStatus(MfcCommands):
    """Tag groups, list stalls, atomic status, multi-source synchronisation."""

    __slots__ = ()

    def mfc_stat_cmd_queue(self) -> Asked[int]:
        """Free entries of the command queue, 0 to 16."""
        return self.spu_readchcnt(Channel.MFC_Cmd)

    def mfc_write_tag_mask(self, mask: int) -> Asked[None]:
        """Choose the tag groups for the tag status."""
        return self.spu_writech(Channel.MFC_WrTagMask, mask)

    def mfc_read_tag_mask(self) -> Asked[int]:
        """The chosen tag groups."""
        return self.spu_readch(Channel.MFC_RdTagMask)

    def mfc_write_tag_update(self, update: int) -> Asked[None]:
        """Ask for a tag status: MFC_TAG_UPDATE_IMMEDIATE, _ANY or _ALL."""
        return self.spu_writech(Channel.MFC_WrTagUpdate, update)

    def mfc_write_tag_update_immediate(self) -> Asked[None]:
        """Ask for the current tag status."""
        return self.mfc_write_tag_update(cbea.MFC_TAG_UPDATE_IMMEDIATE)

    def mfc_write_tag_update_any(self) -> Asked[None]:
        """Ask for the tag status once any chosen group is complete."""
        return self.mfc_write_tag_update(cbea.MFC_TAG_UPDATE_ANY)

    def mfc_write_tag_update_all(self) -> Asked[None]:
        """Ask for the tag status once all chosen groups are complete."""
        return self.mfc_write_tag_update(cbea.MFC_TAG_UPDATE_ALL)

    def mfc_stat_tag_update(self) -> Asked[int]:
        """1 when the program may ask for another tag status."""
        return self.spu_readchcnt(Channel.MFC_WrTagUpdate)

    def mfc_read_tag_status(self) -> Asked[int]:
        """The requested tag status: a bit for each complete group. Waits for the status."""
        return self.spu_readch(Channel.MFC_RdTagStat)

    @request
    def _tag_status(self, update: int) -> Generator[Request, int, int]:
        yield ("write", Channel.MFC_WrTagUpdate, update)
        return (yield ("read", Channel.MFC_RdTagStat))

    def mfc_read_tag_status_immediate(self) -> Asked[int]:
        """The chosen groups that are complete now."""
        return self._tag_status(cbea.MFC_TAG_UPDATE_IMMEDIATE)

    def mfc_read_tag_status_any(self) -> Asked[int]:
        """Wait until any chosen group is complete."""
        return self._tag_status(cbea.MFC_TAG_UPDATE_ANY)

    def mfc_read_tag_status_all(self) -> Asked[int]:
        """Wait until all chosen groups are complete."""
        return self._tag_status(cbea.MFC_TAG_UPDATE_ALL)

    def spu_mfcstat(self, update: int) -> Asked[int]:
        """The composite intrinsic: ask for a tag status and wait for it."""
        return self._tag_status(update)

    def mfc_stat_tag_status(self) -> Asked[int]:
        """1 when a tag status is ready."""
        return self.spu_readchcnt(Channel.MFC_RdTagStat)

    def mfc_read_list_stall_status(self) -> Asked[int]:
        """The tag groups with a list stopped by stall-and-notify; waits for at least one group."""
        return self.spu_readch(Channel.MFC_RdListStallStat)

    def mfc_stat_list_stall_status(self) -> Asked[int]:
        """1 when a list has stopped since the status was last read."""
        return self.spu_readchcnt(Channel.MFC_RdListStallStat)

    def mfc_write_list_stall_ack(self, tag: int) -> Asked[None]:
        """Resume a stopped list."""
        return self.spu_writech(Channel.MFC_WrListStallAck, tag)

    def mfc_read_atomic_status(self) -> Asked[int]:
        """Status of the last immediate atomic command, once complete; bit 0: putllc failed."""
        return self.spu_readch(Channel.MFC_RdAtomicStat)

    def mfc_stat_atomic_status(self) -> Asked[int]:
        """1 when an atomic status is ready."""
        return self.spu_readchcnt(Channel.MFC_RdAtomicStat)

    def mfc_write_multi_src_sync_request(self) -> Asked[None]:
        """Start tracking the transfers from other units to this SPE."""
        return self.spu_writech(Channel.MFC_WrMSSyncReq, 0)

    def mfc_stat_multi_src_sync_request(self) -> Asked[int]:
        """1 when the tracked transfers are complete."""
        return self.spu_readchcnt(Channel.MFC_WrMSSyncReq)
