"""What a program of Linux leaves behind."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from cellstats.core.quantities import format_latency
from cellstats.core.showing import Showing, text
from cellstats.measure.trace import Trace


@dataclass(frozen=True)
class SpeFault:
    """What a context's program or its DMA did that it must not."""

    time_ns: int
    """Simulated time."""
    spe: int
    """The physical SPE that the context was on."""
    place: str
    """The SPU's instruction at that time, with its local-store address."""
    what: str
    """The channel operation, command or instruction, and what is wrong with it."""
    told: str
    """How the program was told: a signal, or an event or a status of `spu_run`."""


@dataclass(frozen=True)
class SpeContext:
    """What a context of an SPE has done: times, counts, bytes."""

    name: str
    """Its directory in spufs."""
    spe: int | None
    """The physical SPE that it was on last; None if it was never run."""
    runs: int
    """Times that it was run."""
    running_ns: int
    """Time between start and stop of its programs."""
    waiting_ns: int
    """Time that it waited for an SPE."""
    preemptions: int
    """Times that it had to leave its SPE to others while it ran."""
    instructions: int
    """SPU instructions executed."""
    dma_commands: int
    """DMA commands taken by either queue of its MFC."""
    get_bytes: int
    """Bytes that its gets moved."""
    put_bytes: int
    """Bytes that its puts moved."""
    atomic_commands: int
    """`getllar`, `putllc`, `putlluc` and `putqlluc` commands."""
    putllc_failures: int
    """`putllc` commands that failed."""
    mailbox_entries: int
    """Entries that arrived in its inbound mailbox."""
    signals: int
    """Writes to its signal registers."""
    channel_stalls: int
    """Channel operations that had to wait."""
    faults: Sequence[SpeFault] = ()
    """The first 16 faults of its programs and their DMA."""
    fault_count: int = 0
    """All of them."""
    profile_json: str | None = None
    """The profile, instruction by instruction; None unless `profile` was asked for."""


@dataclass(frozen=True, repr=False)
class LinuxResult(Showing):
    """What a program of Linux leaves behind."""

    status: int | None
    """Its exit status, as a shell shows it: 128 and the number of the signal if one has ended it.
    None if the run ended with the window that was traced."""
    line: str | None
    """What has ended it, if that was not the program itself."""
    record_json: str
    """The machine's record as the simulator wrote it; equal runs give equal bytes."""
    time_ns: int
    """Simulated time from the program's start to its end."""
    ppe_instructions: int
    """Instructions that the PPE executed."""
    ppe_cycles: int
    """Processor cycles that these took, without waits."""
    system_calls: Mapping[str, int]
    """Times that each system call was made."""
    contexts: Sequence[SpeContext]
    """The contexts of SPEs, in the order in which they were made."""
    ppe_profile: Sequence[tuple[str | None, str | None, int]] | None = None
    """File, function and processor cycles of each function of the PPE, the longest first, by a look
    every 1009 cycles; None unless `profile` was asked for."""
    trace: Trace | None = None
    """The window that was traced, if it has begun."""
    stdout: bytes | None = None
    """Standard output, if it was captured."""
    stderr: bytes | None = None
    """The error output, if it was captured."""

    def __repr__(self) -> str:
        contexts = f"{len(self.contexts)} context{'s' if len(self.contexts) != 1 else ''}"
        time = format_latency(self.time_ns)
        return f"<LinuxResult: exit status {self.status}, {time}, {contexts}>"

    @cached_property
    def record(self) -> dict[str, Any]:
        """The machine's record, parsed."""
        parsed: dict[str, Any] = json.loads(self.record_json)
        return parsed

    @cached_property
    def data(self) -> dict[str, Any]:
        """All but traces and output as plain data: the record, and what the program has done."""
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
        """A summary for people: a line for the whole, for the PPE, and for each context.

        >>> LinuxResult(0, None, "{}", 1500, 9, 12, {"exit_group": 1}, []).text().splitlines()
        ['1.5 µs, exit status 0', 'PPE: 9 instructions, 12 cycles, 1 system call']
        """
        return text(self)


def _context(context: SpeContext) -> dict[str, Any]:
    plain = asdict(context)
    profile = plain.pop("profile_json")
    return plain if profile is None else plain | {"profile": json.loads(profile)}
