"""The SPU's requests (channels, compute, mark), and the spu_* macros of spu_mfcio.h."""

from collections.abc import Generator
from operator import index
from typing import Protocol, SupportsIndex

from cellstats._native import UsageError
from cellstats.architecture import Channel
from cellstats.spu.door import Asked, Caller, Iterations, SpuRequest, request

WORD_MASK = 0xFFFF_FFFF


def as_word(value: int, what: str) -> int:
    """The 32 bits of a number, which may be negative. Raises UsageError if it has more bits.

    what: the number's name in messages.

    >>> hex(as_word(-1, "a mask"))
    '0xffffffff'
    """
    if not isinstance(value, SupportsIndex):
        raise UsageError(f"{what}, {value!r}, is not a whole number")
    number = index(value)
    if not -(1 << 31) <= number <= WORD_MASK:
        raise UsageError(f"{what}, {number:#x}, has more than 32 bits")
    return number & WORD_MASK


class LocalStore(Protocol):
    """A program's local store. Its methods take no simulated time; use `Spu.compute` for the time
    of the instructions that would access the local store.
    """

    @property
    def size(self) -> int:
        """Size in bytes; 262144 on every Cell that was built."""

    def read(self, addr: int, n: int) -> bytes:
        """The `n` bytes at `addr`."""

    def write(self, addr: int, data: bytes) -> None:
        """Put `data` at `addr`."""


class SpuChannels(Caller):
    """Channel access, and the macros that use one channel only."""

    __slots__ = ("ls",)

    def __init__(self, ls: LocalStore) -> None:
        super().__init__()
        self.ls = ls

    @request
    def spu_readch(self, channel: int) -> Generator[SpuRequest, int, int]:
        """Read a channel; waits while a blocking channel is empty."""
        return (yield ("read", channel))

    @request
    def spu_writech(self, channel: int, value: int) -> Generator[SpuRequest, int, None]:
        """Write 32 bits to a channel; waits while a blocking channel is full."""
        yield ("write", channel, as_word(value, "the value for a channel"))

    @request
    def spu_readchcnt(self, channel: int) -> Generator[SpuRequest, int, int]:
        """A channel's count: the number of reads or writes that would not wait. Never waits."""
        return (yield ("count", channel))

    @request
    def compute(self, spu_cycles: int) -> Generator[SpuRequest, int, None]:
        """Let the SPU compute for this many SPU cycles, without using a channel."""
        yield ("compute", spu_cycles)

    @request
    def stop(self, code: int) -> Generator[SpuRequest, int, None]:
        """Stop with a code, 0 to 0x3fff, until the PPE continues the thread: `stop code`."""
        yield ("stop", code)

    @request
    def mark(self, remaining: int) -> Generator[SpuRequest, int, int]:
        """Mark the start of an iteration; `remaining` iterations are left, including this one.

        Returns the number of iterations to skip, always less than `remaining`.

        A generator function writes the loop like this (an async function has `iterations`):

            left = count
            while left > 0:
                left -= yield from spu.mark(left)
                ...  # one iteration
                left -= 1
        """
        return (yield ("mark", remaining))

    def iterations(self, count: int) -> Iterations:
        """`async for i in spu.iterations(count)`: a loop that promises to repeat itself.

        The promise has two parts. Until the next mark, the program's requests depend only on the
        answers that it receives. Every 32-bit word that the program changes either has its old
        value again at the end of the iteration, or changes by the same amount in every iteration.
        The machine may then skip whole periods, and the run ends at exactly the same clock cycle.
        """
        return Iterations(count, self.mark)

    def load_word(self, address: int) -> int:
        """The unsigned 32-bit word at a local-store address (big-endian). Takes no time."""
        return int.from_bytes(self.ls.read(address, 4), "big")

    def store_word(self, address: int, value: int) -> None:
        """Put a 32-bit word at a local-store address (big-endian). Takes no time."""
        self.ls.write(address, as_word(value, "the word").to_bytes(4, "big"))

    def spu_read_signal1(self) -> Asked[int]:
        """Read and clear signal register 1; waits until it is written."""
        return self.spu_readch(Channel.SPU_RdSigNotify1)

    def spu_stat_signal1(self) -> Asked[int]:
        """1 when signal register 1 has been written since it was last read."""
        return self.spu_readchcnt(Channel.SPU_RdSigNotify1)

    def spu_read_signal2(self) -> Asked[int]:
        """Read and clear signal register 2; waits until it is written."""
        return self.spu_readch(Channel.SPU_RdSigNotify2)

    def spu_stat_signal2(self) -> Asked[int]:
        """1 when signal register 2 has been written since it was last read."""
        return self.spu_readchcnt(Channel.SPU_RdSigNotify2)

    def spu_read_in_mbox(self) -> Asked[int]:
        """Take the oldest message of the inbound mailbox; waits until there is one."""
        return self.spu_readch(Channel.SPU_RdInMbox)

    def spu_stat_in_mbox(self) -> Asked[int]:
        """Number of messages waiting in the inbound mailbox, 0 to 4."""
        return self.spu_readchcnt(Channel.SPU_RdInMbox)

    def spu_write_out_mbox(self, value: int) -> Asked[None]:
        """Put a message into the outbound mailbox; waits while the previous message is unread."""
        return self.spu_writech(Channel.SPU_WrOutMbox, value)

    def spu_stat_out_mbox(self) -> Asked[int]:
        """Free entries of the outbound mailbox, 0 or 1."""
        return self.spu_readchcnt(Channel.SPU_WrOutMbox)

    def spu_write_out_intr_mbox(self, value: int) -> Asked[None]:
        """Put a message into the outbound interrupt mailbox; waits while the mailbox is full."""
        return self.spu_writech(Channel.SPU_WrOutIntrMbox, value)

    def spu_stat_out_intr_mbox(self) -> Asked[int]:
        """Free entries of the outbound interrupt mailbox, 0 or 1."""
        return self.spu_readchcnt(Channel.SPU_WrOutIntrMbox)

    def spu_read_decrementer(self) -> Asked[int]:
        """The decrementer; counts down by one per time-base tick."""
        return self.spu_readch(Channel.SPU_RdDec)

    def spu_write_decrementer(self, count: int) -> Asked[None]:
        """Set the decrementer and start it."""
        return self.spu_writech(Channel.SPU_WrDec, count)

    def spu_read_event_status(self) -> Asked[int]:
        """The enabled events that have happened; waits for at least one event."""
        return self.spu_readch(Channel.SPU_RdEventStat)

    def spu_stat_event_status(self) -> Asked[int]:
        """1 when an enabled event has happened."""
        return self.spu_readchcnt(Channel.SPU_RdEventStat)

    def spu_write_event_mask(self, mask: int) -> Asked[None]:
        """Enable the events of a mask."""
        return self.spu_writech(Channel.SPU_WrEventMask, mask)

    def spu_write_event_ack(self, ack: int) -> Asked[None]:
        """Acknowledge events."""
        return self.spu_writech(Channel.SPU_WrEventAck, ack)

    def spu_read_event_mask(self) -> Asked[int]:
        """The enabled events."""
        return self.spu_readch(Channel.SPU_RdEventMask)

    def spu_read_machine_status(self) -> Asked[int]:
        """The interrupt-enable bit (bit 0) and the isolation state."""
        return self.spu_readch(Channel.SPU_RdMachStat)

    def spu_write_srr0(self, srr0: int) -> Asked[None]:
        """Set the address that an interrupt returns to."""
        return self.spu_writech(Channel.SPU_WrSRR0, srr0)

    def spu_read_srr0(self) -> Asked[int]:
        """The address that an interrupt returns to."""
        return self.spu_readch(Channel.SPU_RdSRR0)
