"""The PPE's requests (loads, stores, system calls), and libspe2's calls, made of these requests.

The PPE reaches an SPE by two methods, each with machine values for its cost. The library calls
(`spe_*`, as in libspe 2.1, the library of the SDK that the paper used) go through the operating
system. The register accesses (`mmio_*`) load and store the SPE's problem state directly.
"""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from cellstats._native import UsageError
from cellstats.architecture import Command, Register, register_ea
from cellstats.spu.door import Asked, Caller, Iterations, PpeRequest, Request, request
from cellstats.spu.mfc import mfc_ea2h, mfc_ea2l

# The system calls of a machine, by their names in machine files.
SYSCALLS = {
    "create": "thread_create",
    "join": "thread_join",
    "continue": "thread_continue",
    "in_mbox_write": "in_mbox_write",
    "out_mbox_status": "out_mbox_status",
    "out_mbox_read": "out_mbox_read",
    "out_intr_mbox_read": "out_intr_mbox_read",
    "signal_open": "signal_open",
    "signal_write": "signal_write",
    "signal_close": "signal_close",
    "signal_type": "signal_type",
}

NO_ENTRY = 0xFFFF_FFFF_FFFF_FFFF
"""The result of reading an empty mailbox (EAGAIN)."""

SPE_TAG_ALL, SPE_TAG_ANY, SPE_TAG_IMMEDIATE = 1, 2, 3
"""Conditions for which `Ppe.spe_mfcio_tag_status_read` waits."""

SPE_EVENT_OUT_INTR_MBOX = 1
"""The outbound interrupt mailbox has a message."""
SPE_EVENT_IN_MBOX = 2
"""The inbound mailbox has room."""
SPE_EVENT_TAG_GROUP = 4
"""A tag group has completed its proxy commands, and no tag status has reported the completion."""
SPE_EVENT_SPE_STOPPED = 8
"""The program has stopped."""
SPE_EVENT_ALL_EVENTS = 15
"""All events."""

_UPDATES = {SPE_TAG_ALL: "all", SPE_TAG_ANY: "any", SPE_TAG_IMMEDIATE: "immediate"}
_EVENTS = 4
# Number of threads in the mask of each kind of event; one number holds all four masks.
_THREADS = 16
_SIGNAL_REGISTERS = {1: Register.SPU_Sig_Notify_1, 2: Register.SPU_Sig_Notify_2}
_NO_SPACE_OR_SEQUENCE_ERROR = 3


class Ppe(Caller):
    """The PPE from its program's view. `cellstats.run` makes it; `spes` is the placement."""

    __slots__ = ("spes",)

    def __init__(self, spes: Sequence[int]) -> None:
        super().__init__()
        self.spes = tuple(spes)
        """The physical SPE of each thread."""

    @request
    def load(self, ea: int, size: int) -> Generator[PpeRequest, int, int]:
        """Load `size` bytes (1, 2, 4 or 8), big-endian; waits for the value."""
        return (yield ("load", ea, size))

    @request
    def store(self, ea: int, size: int, value: int) -> Generator[PpeRequest, int, None]:
        """Store `size` bytes (1, 2, 4 or 8), big-endian."""
        yield ("store", ea, size, value)

    @request
    def read_memory(self, ea: int, size: int) -> Generator[PpeRequest, Any, bytes]:
        """Read a range of main memory, as a loop of independent vector loads.

        Returns the range's contents at the end of the loop.
        """
        data: bytes = yield ("read", ea, size)
        return data

    @request
    def write_memory(self, ea: int, data: bytes) -> Generator[PpeRequest, int, None]:
        """Write a range of main memory by a loop of vector stores; all bytes change at the end."""
        yield ("write", ea, data)

    @request
    def sync(self) -> Generator[PpeRequest, int, None]:
        """`sync`: wait until all earlier accesses are performed with respect to all chips."""
        yield ("sync",)

    @request
    def walk(
        self, access: str, ea: int, size: int, count: int, *, other: int = 0, stride: int = 0
    ) -> Generator[PpeRequest, int, None]:
        """Load, store or copy `count` elements of main memory, of 1, 2, 4, 8 or 16 bytes each.

        access: `load`; `store`, with the value in `other`; or `copy`, to the address in `other`.
        stride: bytes from one element to the next; `size` by default.

        The accesses are timed one by one. None depends on the data of another access.
        """
        yield ("walk", access, ea, other, size, stride or size, count)

    @request
    def syscall(self, name: str, thread: int, argument: int) -> Generator[PpeRequest, int, int]:
        """Make a system call for a thread; `name` is the system call's name in machine files."""
        return (yield ("syscall", name, thread, argument))

    @request
    def compute(self, cycles: int) -> Generator[PpeRequest, int, None]:
        """Let the PPE compute for this many processor cycles."""
        yield ("compute", cycles)

    @request
    def timebase(self) -> Generator[PpeRequest, int, int]:
        """The time base: ticks since the run began."""
        return (yield ("timebase",))

    @request
    def mark(self, remaining: int) -> Generator[PpeRequest, int, int]:
        """As `Spu.mark`."""
        return (yield ("mark", remaining))

    def iterations(self, count: int) -> Iterations:
        """As `Spu.iterations`."""
        return Iterations(count, self.mark)

    # Calls for threads, with the names of libspe 1 (libspe 2 leaves threads to pthreads).

    @request
    def spe_create_thread(self, thread: int, argp: int = 0) -> Generator[Request, int, None]:
        """Start a thread's program on its SPE, where `spu.argp` has the value `argp`."""
        yield from self.syscall(SYSCALLS["create"], thread, argp)

    def spe_wait(self, thread: int) -> Asked[int]:
        """Wait until a thread has stopped; returns its stop code."""
        return self.syscall(SYSCALLS["join"], thread, 0)

    @request
    def spe_continue(self, thread: int) -> Generator[Request, int, None]:
        """Continue a stopped thread, as a further call of libspe 2's `spe_context_run` does.

        A Python program stops with `spu.stop(code)`. An executable stops with a user-defined code,
        such as `spu_stop(0x1234)`. Codes for an exit or for a call of the PPE are not user-defined.
        """
        yield from self.syscall(SYSCALLS["continue"], thread, 0)

    # Library calls.

    def spe_in_mbox_write(self, thread: int, value: int) -> Asked[int]:
        """Put a message into a thread's inbound mailbox, with one write().

        Returns the number of messages written: 0 when the mailbox is full.
        """
        return self.syscall(SYSCALLS["in_mbox_write"], thread, value)

    def spe_out_mbox_status(self, thread: int) -> Asked[int]:
        """Number of messages in a thread's outbound mailbox, 0 or 1; takes one read()."""
        return self.syscall(SYSCALLS["out_mbox_status"], thread, 0)

    def spe_out_mbox_read(self, thread: int) -> Asked[int]:
        """Take the message of a thread's outbound mailbox, or NO_ENTRY, with one read()."""
        return self.syscall(SYSCALLS["out_mbox_read"], thread, 0)

    def spe_out_intr_mbox_read(self, thread: int) -> Asked[int]:
        """Take the message of a thread's outbound interrupt mailbox, or NO_ENTRY: one read()."""
        return self.syscall(SYSCALLS["out_intr_mbox_read"], thread, 0)

    @request
    def spe_signal_write(
        self, thread: int, register: int, value: int
    ) -> Generator[Request, int, None]:
        """Send a signal to register 1 or 2.

        libspe 2.1 opens, writes and closes the register's file in every call: three system calls.
        """
        yield from self.syscall(SYSCALLS["signal_open"], thread, register)
        yield from self.syscall(SYSCALLS["signal_write"], thread, register << 32 | value)
        yield from self.syscall(SYSCALLS["signal_close"], thread, register)

    def spe_signal_type(self, thread: int, register: int, or_mode: bool) -> Asked[int]:
        """Make signal register 1 or 2 combine values by OR, or keep only the last value.

        Takes one write(). This is the effect of libspe2's flags SPE_CFG_SIGNOTIFY1_OR and
        SPE_CFG_SIGNOTIFY2_OR.
        """
        return self.syscall(SYSCALLS["signal_type"], thread, register << 32 | int(or_mode))

    @request
    def mfc_command(
        self, thread: int, cmd: int, ls: int, ea: int, size: int, tag: int
    ) -> Generator[PpeRequest, int, None]:
        """Queue any command in the thread's proxy queue; retries while the queue is full.

        Each attempt is one write() to the thread's file `mfc`.
        """
        while (yield ("mfc_command", thread, cmd, ls, ea, size, tag)):
            pass

    def spe_mfcio_put(self, thread: int, ls: int, ea: int, size: int, tag: int) -> Asked[None]:
        """Put from a thread's local store into main memory; see `mfc_command`."""
        return self.mfc_command(thread, Command.PUT, ls, ea, size, tag)

    def spe_mfcio_putb(self, thread: int, ls: int, ea: int, size: int, tag: int) -> Asked[None]:
        """Like `spe_mfcio_put`, with a barrier: later commands of the tag group also wait."""
        return self.mfc_command(thread, Command.PUTB, ls, ea, size, tag)

    def spe_mfcio_putf(self, thread: int, ls: int, ea: int, size: int, tag: int) -> Asked[None]:
        """Like `spe_mfcio_put`, with a fence: waits for all earlier commands of the tag group."""
        return self.mfc_command(thread, Command.PUTF, ls, ea, size, tag)

    def spe_mfcio_get(self, thread: int, ls: int, ea: int, size: int, tag: int) -> Asked[None]:
        """Get from main memory into a thread's local store; see `mfc_command`."""
        return self.mfc_command(thread, Command.GET, ls, ea, size, tag)

    def spe_mfcio_getb(self, thread: int, ls: int, ea: int, size: int, tag: int) -> Asked[None]:
        """Like `spe_mfcio_get`, with a barrier."""
        return self.mfc_command(thread, Command.GETB, ls, ea, size, tag)

    def spe_mfcio_getf(self, thread: int, ls: int, ea: int, size: int, tag: int) -> Asked[None]:
        """Like `spe_mfcio_get`, with a fence."""
        return self.mfc_command(thread, Command.GETF, ls, ea, size, tag)

    @request
    def spe_mfcio_tag_status_read(
        self, thread: int, mask: int = 0, behavior: int = SPE_TAG_ALL
    ) -> Generator[PpeRequest, int, int]:
        """Return the tag groups in `mask` that have no pending proxy commands. Waits until this is
        true of all groups or of any group, depending on `behavior`.

        mask: 0 for all groups with commands whose completion has not been reported.
        behavior: SPE_TAG_ALL, SPE_TAG_ANY, or SPE_TAG_IMMEDIATE, which does not wait.
        """
        if behavior not in _UPDATES:
            raise UsageError(
                f"behavior {behavior!r}; give SPE_TAG_ALL, SPE_TAG_ANY or SPE_TAG_IMMEDIATE"
            )
        return (yield ("tag_status", thread, mask, _UPDATES[behavior]))

    @request
    def spe_event_wait(
        self, events: Mapping[int, int], timeout_ns: int | None = None
    ) -> Generator[PpeRequest, int, dict[int, int]]:
        """Wait until any of the given events of threads is pending; returns all pending events.

        events: thread -> sum of constants such as SPE_EVENT_OUT_INTR_MBOX. The result has the form
            of `events`; it is empty if `timeout_ns` passed without an event.

        An event is pending as long as its condition holds.
        """
        word = 0
        for thread, wanted in events.items():
            if not 0 <= thread < _THREADS or not 0 < wanted <= SPE_EVENT_ALL_EVENTS:
                raise UsageError(
                    f"events {thread!r}: {wanted!r}; give threads 0 to {_THREADS - 1}, each with a "
                    "sum of SPE_EVENT_OUT_INTR_MBOX, _IN_MBOX, _TAG_GROUP and _SPE_STOPPED"
                )
            for kind in range(_EVENTS):
                word |= (wanted >> kind & 1) << (_THREADS * kind + thread)
        ready = yield ("events", word, timeout_ns)
        found = {
            thread: sum(
                (ready >> (_THREADS * kind + thread) & 1) << kind for kind in range(_EVENTS)
            )
            for thread in events
        }
        return {thread: there for thread, there in found.items() if there}

    # Register accesses.

    def read_register(self, thread: int, register: Register) -> Asked[int]:
        """Load a problem-state register of a thread's SPE; waits for the value."""
        return self.load(register_ea(self.spes[thread], register), 4)

    def write_register(self, thread: int, register: Register, value: int) -> Asked[None]:
        """Store to a problem-state register of a thread's SPE."""
        return self.store(register_ea(self.spes[thread], register), 4, value)

    def mmio_write_in_mbox(self, thread: int, value: int) -> Asked[None]:
        """Put a message into the inbound mailbox; a full mailbox loses its newest message."""
        return self.write_register(thread, Register.SPU_In_Mbox, value)

    def mmio_read_mbox_stat(self, thread: int) -> Asked[int]:
        """Count outbound messages (7:0), free inbound entries (15:8), interrupts (23:16)."""
        return self.read_register(thread, Register.SPU_Mbox_Stat)

    @request
    def mmio_read_out_mbox(self, thread: int) -> Generator[Request, int, int]:
        """Poll the mailbox status until there is a message, then take it."""
        while not (yield from self.mmio_read_mbox_stat(thread)) & 0xFF:
            pass
        return (yield from self.read_register(thread, Register.SPU_Out_Mbox))

    def mmio_write_signal(self, thread: int, register: int, value: int) -> Asked[None]:
        """Send a signal to register 1 or 2."""
        return self.write_register(thread, _SIGNAL_REGISTERS[register], value)

    @request
    def mmio_proxy_command(
        self, thread: int, cmd: int, ls: int, ea: int, size: int, tag: int
    ) -> Generator[Request, int, None]:
        """Queue a command in the thread's proxy queue; retries while there is no space.

        Reading the command status makes the MFC enqueue the command; the status reports success.
        """
        while True:
            yield from self.write_register(thread, Register.MFC_LSA, ls)
            yield from self.write_register(thread, Register.MFC_EAH, mfc_ea2h(ea))
            yield from self.write_register(thread, Register.MFC_EAL, mfc_ea2l(ea))
            yield from self.write_register(thread, Register.MFC_Size_Tag, size << 16 | tag)
            yield from self.write_register(thread, Register.MFC_ClassID_CMD, cmd)
            status = yield from self.read_register(thread, Register.MFC_ClassID_CMD)
            if not status & _NO_SPACE_OR_SEQUENCE_ERROR:
                return
