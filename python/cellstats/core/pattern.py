"""Communication patterns as data: phases of messages between threads, or to and from main memory.

How to define a pattern:

>>> halves = Pattern("halves", 4, (Phase((Transfer(0, 2, 16384), Transfer(1, 3, 16384))),))
>>> halves.total_bytes
32768
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from cellstats._native import UsageError
from cellstats.core.display import Showing
from cellstats.core.pattern_pairs import BUILDERS, MEMORY, NAMES, End
from cellstats.core.quantities import parse_bytes, parse_count
from cellstats.core.refusal import refusal, verbatim
from cellstats.core.words import did_you_mean

THREADS_MAX = 256
"""Largest number of threads in a pattern; every machine has fewer SPEs."""
BYTES_MAX = 2**31
"""Longest message, longer than any local store."""
REPETITIONS_MAX = 1_000_000
"""Largest number of repetitions of a message."""
_SMALL = (1, 2, 4, 8)

_QUADWORD_BYTES = 16

NativePattern: TypeAlias = tuple[str, int, list[list[tuple[int | None, int | None, int, int]]]]


@dataclass(frozen=True, slots=True)
class Transfer:
    """One message between two threads' local stores, or between a local store and main memory.

    Raises UsageError if no DMA can move the message.
    """

    source: End
    """Sending thread, or `"memory"`."""
    destination: End
    """Receiving thread, or `"memory"`."""
    bytes: int
    """Length of the message."""
    repetitions: int = 1
    """Number of times that the message is sent in sequence."""

    def __post_init__(self) -> None:
        for what in ("source", "destination"):
            object.__setattr__(self, what, _end(getattr(self, what), what))
        size = parse_bytes(self.bytes, "bytes", least=1)
        object.__setattr__(self, "bytes", size)
        repetitions = parse_count(self.repetitions, "repetitions")
        object.__setattr__(self, "repetitions", repetitions)
        if repetitions > REPETITIONS_MAX:
            raise UsageError(f"repetitions {repetitions}: give 1 to {REPETITIONS_MAX}")
        if self.source == self.destination:
            where = self.source if self.source == MEMORY else f"thread {self.source}"
            raise UsageError(f"a message from {where} to itself; give two different ends")
        if size not in _SMALL and size % _QUADWORD_BYTES:
            raise UsageError(f"bytes {size}: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes")
        if size > BYTES_MAX:
            raise UsageError(f"bytes {size} fit no local store; give fewer")

    @property
    def total_bytes(self) -> int:
        """Bytes of all repetitions."""
        return self.bytes * self.repetitions


@dataclass(frozen=True, slots=True)
class Phase:
    """Messages that are sent concurrently; each thread sends its own messages in order."""

    transfers: tuple[Transfer, ...]
    """The messages."""

    @property
    def total_bytes(self) -> int:
        """Total bytes of the phase's messages."""
        return sum(transfer.total_bytes for transfer in self.transfers)


@dataclass(frozen=True, slots=True, repr=False)
class Pattern(Showing):
    """Phases of messages, with a barrier for all threads between two phases.

    Raises UsageError for a pattern without messages, and for a message from or to a thread that the
    pattern does not have.
    """

    _kind = "pattern"

    name: str
    """Its name in results."""
    threads: int
    """Number of threads; a thread without messages still waits at the barriers."""
    phases: tuple[Phase, ...]
    """The phases, in order."""

    def __post_init__(self) -> None:
        threads = parse_count(self.threads, "threads")
        object.__setattr__(self, "threads", threads)
        if threads > THREADS_MAX:
            raise UsageError(f"pattern {self.name}: {threads} threads; give 1 to {THREADS_MAX}")
        if not any(phase.transfers for phase in self.phases):
            raise UsageError(f"pattern {self.name} is empty; give at least one transfer")
        for _, transfer in self.transfers():
            for end in (transfer.source, transfer.destination):
                if end != MEMORY and end >= threads:
                    raise UsageError(
                        f"pattern {self.name}: there is no thread {end}; "
                        f"threads are 0 to {threads - 1}, or memory"
                    )

    def __repr__(self) -> str:
        # The messages are omitted, because they would fill the terminal.
        messages = sum(len(phase.transfers) for phase in self.phases)
        phases = f"{len(self.phases)} phase{'s' if len(self.phases) != 1 else ''}"
        return f"<Pattern {self.name}: {self.threads} threads, {messages} messages, {phases}>"

    def transfers(self) -> Iterator[tuple[int, Transfer]]:
        """All messages, each with the number of its phase; the first phase is 1."""
        for number, phase in enumerate(self.phases, 1):
            for transfer in phase.transfers:
                yield number, transfer

    @property
    def total_bytes(self) -> int:
        """Bytes of all phases."""
        return sum(phase.total_bytes for phase in self.phases)

    def to_request(self) -> dict[str, object]:
        """The pattern as plain values, for requests and recipes."""
        phases = [
            [
                {
                    "source": t.source,
                    "destination": t.destination,
                    "bytes": t.bytes,
                    "repetitions": t.repetitions,
                }
                for t in p.transfers
            ]
            for p in self.phases
        ]
        return {"name": self.name, "threads": self.threads, "phases": phases}

    def to_native(self) -> NativePattern:
        """The pattern in the form that the communication model and the host expect."""

        def number(end: End) -> int | None:
            return None if end == MEMORY else end

        phases = [
            [(number(t.source), number(t.destination), t.bytes, t.repetitions) for t in p.transfers]
            for p in self.phases
        ]
        return self.name, self.threads, phases


def whole_dma(size: float, unit: int = _QUADWORD_BYTES) -> int:
    """The fewest bytes, at least `size`, that a DMA moves: 1, 2, 4, 8 or a multiple of `unit`."""
    least = math.ceil(size)
    return least if least in _SMALL else math.ceil(least / unit) * unit


def own_sizes(name: str, size: object) -> UsageError:
    """The refusal of a size for a pattern whose messages have sizes."""
    return refusal(
        f"pattern {verbatim(name)} has sizes of its own, leave {{size}} out", "size", size
    )


def _end(end: object, what: str) -> End:
    if end == MEMORY:
        return MEMORY
    digits = str(end).strip()
    if not isinstance(end, bool) and digits.isascii() and digits.isdecimal() and len(digits) <= 9:
        number = int(digits)
        if number < THREADS_MAX:
            return number
    raise UsageError(f"{what} {end!r} is no thread; give 0 to {THREADS_MAX - 1}, or memory")


def named_pattern(name: str, threads: int, size: int | str, *, counted: str) -> Pattern:
    """The pattern with this name; all messages have one size.

    counted: the caller's keyword for the number of threads, used in error messages.

    Raises UsageError for an unknown name, and for a number of threads that the pattern cannot have.
    """
    if name not in BUILDERS:
        raise UsageError(f"unknown pattern {name!r}; {did_you_mean(name, NAMES)}, or a file")
    build, least, rule = BUILDERS[name]
    even = rule == "even" and threads % 2
    power = rule == "power" and threads & (threads - 1)
    if threads < least or threads > THREADS_MAX or even or power:
        kind = {"even": "an even number", "power": "a power of two", "any": "a number"}[rule]
        reason = f"pattern {name} takes {kind} from {least} to {THREADS_MAX}"
        raise refusal(reason, counted, threads)
    bytes_ = parse_bytes(size, "{size}", least=1)
    phases = (
        Phase(tuple(Transfer(source, destination, bytes_) for source, destination in pairs))
        for pairs in build(threads)
    )
    return Pattern(name, threads, tuple(phases))


PatternLike: TypeAlias = Pattern | str | Path
"""A pattern, its name, or the name of a file that holds it."""
