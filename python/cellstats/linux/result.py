"""The result of a Linux program: exit status, times, counts, and output."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from cellstats._native import RunError
from cellstats.core.display import Showing, text
from cellstats.core.quantities import format_latency
from cellstats.core.words import counted
from cellstats.measure.trace import Trace


@dataclass(frozen=True)
class SpeFault:
    """A forbidden operation by a context's program or DMA."""

    time_ns: int
    """Simulated time."""
    spe: int
    """The physical SPE that ran the context."""
    place: str
    """The SPU instruction at the time of the fault, with its local-store address."""
    what: str
    """The channel operation, command or instruction at fault, and the rule that it broke."""
    told: str
    """How the kernel reported the fault: a signal, or an event or a status of `spu_run`."""


@dataclass(frozen=True)
class SpeStop:
    """Why a context stopped last."""

    kind: str
    """`exit` (the program exited), `stop` (a `stop` for the PPE), `halt` (a halt instruction),
    `instruction` (a word that is no instruction), `channel` or `dma` (a channel operation or a DMA
    command that broke a rule), or `running` (the program had not stopped when the run ended)."""
    code: int | None
    """The exit status of an `exit`, the stop-and-signal type of a `stop`, otherwise None."""
    address: int
    """Local-store address of the instruction."""
    function: str | None
    """The function of the instruction, or None if the executable or its symbols are unknown."""
    offset: int | None
    """Bytes from the function's beginning to the instruction."""
    reason: str | None
    """Why the program failed there, or None: its stack ran over its code, its code was overwritten,
    or -fstack-check halted it."""


@dataclass(frozen=True)
class SpeContext:
    """Times, counts and bytes of one SPE context."""

    name: str
    """The context's directory in spufs."""
    spe: int | None
    """The physical SPE that ran the context last, or None if the context never ran."""
    runs: int
    """Number of times that the context was run."""
    running_ns: int
    """Total time for which programs ran in the context, from each start to the next stop."""
    waiting_ns: int
    """Time for which the context waited for an SPE."""
    preemptions: int
    """Number of times that another context preempted this context."""
    instructions: int
    """SPU instructions executed."""
    dma_commands: int
    """DMA commands that entered either queue of the MFC."""
    get_bytes: int
    """Bytes transferred by get commands."""
    put_bytes: int
    """Bytes transferred by put commands."""
    atomic_commands: int
    """`getllar`, `putllc`, `putlluc` and `putqlluc` commands."""
    putllc_failures: int
    """`putllc` commands that failed."""
    mailbox_entries: int
    """Entries that arrived in the inbound mailbox."""
    signals: int
    """Writes to the signal registers."""
    channel_stalls: int
    """Channel operations that had to wait."""
    faults: Sequence[SpeFault] = ()
    """The first 16 faults of the context's programs and DMA."""
    fault_count: int = 0
    """Number of all faults."""
    program: int | None = None
    """The SPE executable that the context ran, counted from 1 in the order in which executables
    came into memory; None if the context never ran or ran other code."""
    stop: SpeStop | None = None
    """Why the context stopped last, or None if the context never ran."""
    profile_json: str | None = None
    """Profile by SPU instruction, as JSON, or None without `profile`."""


@dataclass(frozen=True, repr=False)
class LinuxResult(Showing):
    """The result of a Linux program."""

    _kind = "Linux program"

    status: int | None
    """Exit status as in a shell: 128 plus the signal's number if a signal ended the program.
    None if the run ended at the end of the traced window, or could not continue."""
    line: str | None
    """Reason why the program ended or the run could not continue, in one line; None if the program
    exited by itself, and at the end of the traced window."""
    record_json: str
    """The machine's record as written by the simulator; identical for identical runs."""
    time_ns: int
    """Simulated time from the program's start to its end."""
    ppe_instructions: int
    """Instructions that the PPE executed."""
    ppe_cycles: int
    """Processor cycles of the PPE's instructions, without waits."""
    system_calls: Mapping[str, int]
    """Number of calls of each system call."""
    contexts: Sequence[SpeContext]
    """The SPE contexts, in the order of their creation."""
    ppe_profile: Sequence[tuple[str | None, str | None, int]] | None = None
    """File, name and processor cycles of each PPE function, in decreasing order of cycles. The PPE
    is sampled every 1009 cycles. None without `profile`."""
    trace: Trace | None = None
    """Trace of the window, or None without a window or if the program ended before it."""
    stdout: bytes | None = None
    """Standard output; None unless captured."""
    stderr: bytes | None = None
    """The error output; None unless captured."""

    def __repr__(self) -> str:
        contexts = counted(len(self.contexts), "context")
        time = format_latency(self.time_ns)
        end = "not finished" if self.failed else f"exit status {self.status}"
        return f"<LinuxResult: {end}, {time}, {contexts}>"

    @property
    def failed(self) -> bool:
        """Whether the run could not continue, so that the counts are those until then."""
        return self.status is None and self.line is not None

    @cached_property
    def record(self) -> dict[str, Any]:
        """The machine's record, parsed."""
        parsed: dict[str, Any] = json.loads(self.record_json)
        return parsed

    @cached_property
    def data(self) -> dict[str, Any]:
        """The record, status, times and counts as plain data, without the trace and the output."""
        own: dict[str, Any] = {
            "status": self.status,
            "line": self.line,
            "time_ns": self.time_ns,
            "ppe": {
                "instructions": self.ppe_instructions,
                "cycles": self.ppe_cycles,
                "system_calls": dict(sorted(self.system_calls.items())),
            },
            "contexts": [_context(context) for context in self.contexts],
        }
        if self.ppe_profile is not None:
            names = ("file", "function", "cycles")
            own["ppe"]["profile"] = [dict(zip(names, row, strict=True)) for row in self.ppe_profile]
        return self.record | own

    def text(self) -> str:
        """A summary for people: one line each for the program, the PPE, and every context.

        >>> LinuxResult(0, None, "{}", 1500, 9, 12, {"exit_group": 1}, []).text().splitlines()
        ['1.5 µs, exit status 0', 'PPE: 9 instructions, 12 cycles, 1 system call']
        """
        return text(self)


class UnfinishedRun(RunError):  # noqa: N818 - the reason is an error, and this its result
    """A run that could not continue: a missing system call, a deadlock, or the limit."""

    def __init__(self, result: LinuxResult) -> None:
        super().__init__(result.line)
        self.result = result
        """What was counted until then."""


def _context(context: SpeContext) -> dict[str, Any]:
    plain = asdict(context)
    profile = plain.pop("profile_json")
    return plain if profile is None else plain | {"profile": json.loads(profile)}
