"""The cost of a message between every two CPUs, from measured matrices.

    message of n bytes from a to b = latency(a, b) + n * byte(a, b)

The latency is half of a round trip of `mailbox` or `signal` through memory: a message of a cache
line at most, or the notice that a longer one has arrived. The time by the byte is that of copies
between cores, by `dmaget` or `dmaput`. A pattern's cost is the sum over its messages, a quadratic
assignment.

Left out: messages with memory. Each thread's memory is on its own node, so they cost the same
wherever threads are.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from cellstats._native import UsageError
from cellstats.placement.messages import Pattern
from cellstats.placement.pattern_pairs import MEMORY
from cellstats.refusal import refusal, verbatim
from cellstats.text.whole_input import whole_text

Rows: TypeAlias = list[list[float]]
"""From one CPU (row) to another (column), in the order of some list of CPUs."""
Counts: TypeAlias = list[list[int]]
"""From one thread (row) to another (column)."""
_LATENCY, _COPY = ("mailbox", "signal"), ("dmaget", "dmaput")
_WRONG = "give what cellstats matrix --machine host --format json wrote"


@dataclass(frozen=True, slots=True)
class Measured:
    """One measured matrix, as costs of messages."""

    function: str
    cpus: tuple[int, ...]
    """In topological order."""
    latency_ns: Rows | None
    """Latency of one message; None in a matrix of copies."""
    byte_ns: Rows | None
    """Time of each byte of a message; None in a matrix of mailboxes or signals."""
    size_bytes: int | None
    """Size of the measured copies."""
    relations: list[list[str | None]]
    """What two CPUs have in common."""
    nodes: Mapping[int, int]
    """The NUMA node of each CPU; empty if it is not known."""
    environment: Mapping[str, Any]
    disturbed: tuple[str, ...]
    """Reasons to distrust it."""

    def relation(self, a: int, b: int) -> str | None:
        """What two of its CPUs have in common."""
        return self.relations[self.cpus.index(a)][self.cpus.index(b)]


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the cost: an amount of traffic, times its cost by the unit."""

    flow: Counts
    """Messages or bytes from thread to thread."""
    cost_ns: Rows
    """Cost of one message or byte from CPU to CPU; 0 on the diagonal."""


@dataclass(frozen=True, slots=True)
class MessageCosts:
    """Costs of messages between these CPUs."""

    cpus: tuple[int, ...]
    latency_ns: Rows | None
    byte_ns: Rows | None

    @classmethod
    def of(cls, matrices: Sequence[Measured], cpus: Sequence[int]) -> "MessageCosts":
        """The costs from one matrix, or from two of different kinds, with all of these CPUs."""

        def chosen(matrix: Measured, rows: Rows | None) -> Rows | None:
            index = [matrix.cpus.index(cpu) for cpu in cpus]
            return rows and [[rows[a][b] for b in index] for a in index]

        latencies = (chosen(each, each.latency_ns) for each in matrices)
        copies = (chosen(each, each.byte_ns) for each in matrices)
        return cls(
            tuple(cpus),
            next((rows for rows in latencies if rows), None),
            next((rows for rows in copies if rows), None),
        )

    def terms(self, pattern: Pattern) -> list[Term]:
        """The terms of a pattern's cost: one if all messages have one size, else up to two."""
        # MODEL: the messages of a pattern cost their sum, as if each were under way alone, in
        # whatever phase; on a real computer they contend for caches and links. `--verify` tries
        # what comes out.
        messages, bytes_ = traffic(pattern)
        sizes = {t.bytes for _, t in pattern.transfers() if MEMORY not in (t.source, t.destination)}
        if not sizes:
            return []
        if len(sizes) == 1:
            return [Term(messages, self._message(float(sizes.pop())))]
        both = ((messages, self.latency_ns), (bytes_, self.byte_ns))
        return [Term(flow, rows) for flow, rows in both if rows]

    def mean_term(self, pattern: Pattern) -> Term:
        """An approximation by one term, as if all messages had the mean size."""
        messages, bytes_ = traffic(pattern)
        return Term(messages, self._message(_sum(bytes_) / max(1, _sum(messages))))

    def _message(self, size_bytes: float) -> Rows:
        zero = [[0.0] * len(self.cpus)] * len(self.cpus)
        pairs = zip(self.latency_ns or zero, self.byte_ns or zero, strict=True)
        return [
            [latency + size_bytes * byte for latency, byte in zip(*rows, strict=True)]
            for rows in pairs
        ]


def traffic(pattern: Pattern) -> tuple[Counts, Counts]:
    """The number of messages, and of bytes, that every thread sends to every other."""
    messages = [[0] * pattern.threads for _ in range(pattern.threads)]
    bytes_ = [[0] * pattern.threads for _ in range(pattern.threads)]
    for _, transfer in pattern.transfers():
        source, destination = transfer.source, transfer.destination
        if source != MEMORY and destination != MEMORY:
            messages[source][destination] += transfer.repetitions
            bytes_[source][destination] += transfer.total_bytes
    return messages, bytes_


def read_matrix(path: Path | str) -> Measured:
    """A matrix from a file that `cellstats matrix --machine host --format json` wrote.

    Raises UsageError for any other file.
    """
    try:
        text = whole_text(Path(path), f"{{matrices}} {verbatim(path)}", _WRONG)
    except UsageError as error:
        raise refusal(str(error)) from None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise refusal(f"{{matrices}} {path} is not JSON; {_WRONG}") from None
    if not isinstance(data, dict) or data.get("machine") != "host":
        raise refusal(f"{{matrices}} {path} is no matrix of the host; {_WRONG}")
    return measured(data, str(path))


def measured(data: Mapping[str, Any], name: str) -> Measured:
    """A matrix from `HostMatrix.to_dict`.

    name: the matrix in messages.

    Raises UsageError for a matrix that says nothing about messages.
    """
    function = data.get("function")
    if function not in (*_LATENCY, *_COPY):
        raise refusal(f"{{matrices}} {name}: {function!r} is no mailbox, signal, dmaget or dmaput")
    try:
        values, cpus = _rows(data["values"]), tuple(int(cpu) for cpu in data["labels"])
        if not len(values) == len(set(cpus)) == len(cpus):
            raise ValueError
        relations = [list(row) for row in data["relations"]]
        if [len(row) for row in relations] != [len(cpus)] * len(cpus):
            raise ValueError
        latency, copies, size = _by_kind(function, data, values)
        return Measured(
            function,
            cpus,
            latency,
            copies,
            size,
            relations,
            {int(cpu): int(node) for cpu, node in data.get("nodes", {}).items()},
            dict(data["environment"]),
            tuple(data["disturbed"]) + _disturbed_pairs(data["disturbed_pairs"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise refusal(f"{{matrices}} {name} lacks something or is damaged; {_WRONG}") from None


def _by_kind(
    function: str, data: Mapping[str, Any], values: Rows
) -> tuple[Rows | None, Rows | None, int | None]:
    """Latencies; or time by the byte, and the size of the copies."""
    if function in _LATENCY:
        there_and_back = data["means"]["latency"] == "round trip"
        # MODEL: a message is half of a round trip, whichever way it goes and whoever began it;
        # which way takes longer no round trip says.
        share = 0.5 if there_and_back else 1.0
        both = zip(values, _turned(values), strict=True)
        rows = [[share * (a + b) / 2 for a, b in zip(*each, strict=True)] for each in both]
        return rows, None, None
    size = int(data["recipe"]["parameters"]["size_bytes"])
    if data["unit"] == "GB/s":
        # A byte in a nanosecond is a GB in a second.
        moved = float(data["means"]["bytes_per_iteration"])
        values = [[moved / value if value else 0.0 for value in row] for row in values]
    # The initiator of a get is the row, but the message comes from its partner.
    from_row = values if function == "dmaput" else _turned(values)
    return None, [[value / size for value in row] for row in from_row], size


def _rows(values: Iterable[Iterable[Any]]) -> Rows:
    """Numbers above 0, and 0 on the diagonal. Raises ValueError or TypeError for others."""
    rows = [[0.0 if value is None else float(value) for value in row] for row in values]
    for nth, row in enumerate(rows):
        if len(row) != len(rows) or row[nth]:
            raise ValueError
        if not all(math.isfinite(each) and (each > 0 or i == nth) for i, each in enumerate(row)):
            raise ValueError
    return rows


def _turned(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def _disturbed_pairs(pairs: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    if not pairs:
        return ()
    pair, why = next(iter(pairs.items()))
    plural = "s" * (len(pairs) != 1)
    return (f"{len(pairs)} pair{plural}, such as CPUs {pair.replace(',', ' and ')}: {why[0]}",)


def _sum(counts: Counts) -> int:
    return sum(map(sum, counts))
