"""Patterns of communication as data: phases of messages between threads, or with main memory.

The function `exchange` puts them to work: `machine.measure("exchange", pattern="ring")`. There are
patterns by name (`NAMES`), patterns in files (`cellstats.pattern_files`), and those of one's own:

>>> halves = Pattern("halves", 4, (Phase((Transfer(0, 2, 16384), Transfer(1, 3, 16384))),))
>>> halves.total_bytes
32768
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from cellstats._native import UsageError
from cellstats.measure.quantities import parse_bytes, parse_count
from cellstats.text.nearest import did_you_mean

MEMORY: Literal["memory"] = "memory"
"""Main memory, as the source or destination of a transfer."""
End: TypeAlias = int | Literal["memory"]
"""A thread by its number, or main memory."""
THREADS_MAX = 256
"""More threads than this no machine has."""
BYTES_MAX = 2**31
"""A message as long as this fits no local store."""
_SMALL = (1, 2, 4, 8)
_NAMED_PHASES = 4

NativePattern: TypeAlias = tuple[str, int, list[list[tuple[int | None, int | None, int, int]]]]


@dataclass(frozen=True, slots=True)
class Transfer:
    """One message: from a thread's local store to another's, or from or to main memory.

    Raises UsageError if no DMA can move it.
    """

    source: End
    destination: End
    bytes: int
    repetitions: int = 1
    """How often it is sent, one after the other."""

    def __post_init__(self) -> None:
        for what in ("source", "destination"):
            object.__setattr__(self, what, _end(getattr(self, what), what))
        size = parse_bytes(self.bytes, "bytes", least=1)
        object.__setattr__(self, "bytes", size)
        repetitions = parse_count(self.repetitions, "repetitions")
        object.__setattr__(self, "repetitions", repetitions)
        if self.source == self.destination:
            where = self.source if self.source == MEMORY else f"thread {self.source}"
            raise UsageError(f"a message from {where} to itself; give two different ends")
        if size not in _SMALL and size % 16:
            raise UsageError(f"bytes {size}: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes")
        if size > BYTES_MAX:
            raise UsageError(f"bytes {size} fit no local store; give fewer")

    @property
    def total_bytes(self) -> int:
        """Over all repetitions."""
        return self.bytes * self.repetitions


@dataclass(frozen=True, slots=True)
class Phase:
    """Messages that are under way together, each thread's in their order."""

    transfers: tuple[Transfer, ...]

    @property
    def total_bytes(self) -> int:
        """Of all its messages."""
        return sum(transfer.total_bytes for transfer in self.transfers)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Who sends what to whom: no phase begins before the one before it has ended, for anybody.

    Raises UsageError for a thread that there is not, and where nothing is sent.
    """

    name: str
    threads: int
    """All that take part; one without a message waits with the others."""
    phases: tuple[Phase, ...]

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

    def transfers(self) -> Iterator[tuple[int, Transfer]]:
        """All messages, each with the number of its phase, from 1 on."""
        for number, phase in enumerate(self.phases, 1):
            for transfer in phase.transfers:
                yield number, transfer

    @property
    def total_bytes(self) -> int:
        """Of all phases."""
        return sum(phase.total_bytes for phase in self.phases)

    def to_native(self) -> NativePattern:
        """What the compiled simulator takes."""

        def number(end: End) -> int | None:
            return None if end == MEMORY else end

        phases = [
            [(number(t.source), number(t.destination), t.bytes, t.repetitions) for t in p.transfers]
            for p in self.phases
        ]
        return self.name, self.threads, phases


PatternLike: TypeAlias = Pattern | str | Path
"""A pattern, its name, or the name of a file that holds it."""

_Pairs: TypeAlias = list[tuple[End, End]]
_Builder: TypeAlias = Callable[[int], list[_Pairs]]


def pattern(
    name: PatternLike,
    threads: int | str | None = None,
    size: int | str | None = None,
    *,
    most: int = 8,
) -> Pattern:
    """The pattern of this name for so many threads, all its messages of one size; or one in a file.

    threads: by default `most`; of a file as many as it has, and more only wait.
    size: bytes of a message, 16k by default. A file says the sizes of its own.

    Raises UsageError where there is no such pattern, or not for so many threads.

    >>> pattern("ring", threads=3).phases[0].transfers[2]
    Transfer(source=2, destination=0, bytes=16384, repetitions=1)
    >>> len(pattern("recursive-doubling", threads=8).phases)
    3
    """
    count = None if threads is None else parse_count(threads, "-n")
    if isinstance(name, str) and not _is_file(name):
        return _named(name, most if count is None else count, "16k" if size is None else size)
    if isinstance(name, Pattern):
        found = name
    else:
        from cellstats.pattern_files import read

        found = read(Path(name))
    if size is not None:
        raise UsageError(f"-b {size}: pattern {found.name} has sizes of its own, leave -b out")
    return found if count is None else Pattern(found.name, count, found.phases)


def _is_file(name: str) -> bool:
    return "/" in name or name.lower().endswith((".csv", ".json"))


def _named(name: str, threads: int, size: int | str) -> Pattern:
    if name not in _BUILDERS:
        raise UsageError(f"unknown pattern {name!r}; {did_you_mean(name, NAMES)}, or a file")
    build, least, rule = _BUILDERS[name]
    even = rule == "even" and threads % 2
    power = rule == "power" and threads & (threads - 1)
    if threads < least or threads > THREADS_MAX or even or power:
        kind = {"even": "an even number", "power": "a power of two", "any": "a number"}[rule]
        raise UsageError(f"-n {threads}: pattern {name} takes {kind} from {least} to {THREADS_MAX}")
    bytes_ = parse_bytes(size, "-b", least=1)
    phases = (
        Phase(tuple(Transfer(source, destination, bytes_) for source, destination in pairs))
        for pairs in build(threads)
    )
    return Pattern(name, threads, tuple(phases))


def _end(end: object, what: str) -> End:
    if end == MEMORY:
        return MEMORY
    digits = str(end).strip()
    if not isinstance(end, bool) and digits.isascii() and digits.isdecimal() and len(digits) <= 9:
        number = int(digits)
        if number < THREADS_MAX:
            return number
    raise UsageError(f"{what} {end!r} is no thread; give 0 to {THREADS_MAX - 1}, or memory")


def _ring(n: int) -> list[_Pairs]:
    return [[(i, (i + 1) % n) for i in range(n)]]


def _nearest_neighbour(n: int) -> list[_Pairs]:
    return [[(i, to % n) for i in range(n) for to in (i + 1, i - 1)]]


def _pipeline(n: int) -> list[_Pairs]:
    # Stages of a pipeline all work at once, each on a picture of its own.
    return [[(MEMORY, 0), *((i, i + 1) for i in range(n - 1)), (n - 1, MEMORY)]]


def _hotspot(n: int) -> list[_Pairs]:
    return [[(i, 0) for i in range(1, n)]]


def _pairwise(n: int) -> list[_Pairs]:
    return [[(i, i ^ 1) for i in range(n)]]


def _complement(n: int) -> list[_Pairs]:
    return [[(i, n - 1 - i) for i in range(n)]]


def _all_to_all(n: int) -> list[_Pairs]:
    return [[(i, (i + step) % n) for i in range(n)] for step in range(1, n)]


def _binomial(n: int) -> list[_Pairs]:
    steps = [1 << k for k in range((n - 1).bit_length())]
    return [[(i, i + step) for i in range(step) if i + step < n] for step in steps]


def _recursive_doubling(n: int) -> list[_Pairs]:
    return [_doubling_phase(k, n)[0] for k in range(n.bit_length() - 1)]


def _doubling_phase(k: int, n: int) -> list[_Pairs]:
    return [[(i, i ^ (1 << k)) for i in range(n)]]


_BUILDERS: dict[str, tuple[_Builder, int, Literal["any", "even", "power"]]] = {
    "ring": (_ring, 2, "any"),
    "nearest-neighbour": (_nearest_neighbour, 3, "any"),
    "pipeline": (_pipeline, 1, "any"),
    "hotspot": (_hotspot, 2, "any"),
    "pairwise": (_pairwise, 2, "even"),
    "complement": (_complement, 2, "even"),
    "all-to-all": (_all_to_all, 2, "any"),
    "binomial-tree": (_binomial, 2, "any"),
    "recursive-doubling": (_recursive_doubling, 2, "power"),
    **{
        f"recursive-doubling-{k + 1}": (partial(_doubling_phase, k), 2 << k, "power")
        for k in range(_NAMED_PHASES)
    },
}
NAMES = tuple(_BUILDERS)
"""The patterns that have a name; `recursive-doubling-1` is the first phase of its pattern."""
