"""Finds message costs between every two CPUs from measured matrices, and the cheapest placement.

    message of n bytes from a to b = latency(a, b) + n * byte(a, b)

The latency is half of a round trip of `mailbox` or `signal` through memory. A message of at most
one cache line costs this latency. A longer message also needs this time, for the notification that
the data have arrived. The time per byte comes from copies between cores, by `dmaget` or `dmaput`.
The cost of a pattern is the sum over its messages. Minimizing this cost is a quadratic assignment
problem.

For messages of one size, `crates/place` solves this problem, and returns a lower bound for all
placements. Messages of several sizes lead to two problems, one of latencies and one of bytes.
The lower bounds of both problems add up to a lower bound of the cost. If there are few placements,
all of them are tried; otherwise, a local search starts from the solutions of the two problems.

Messages to and from memory are left out, because each thread's memory is on the thread's own NUMA
node. Such messages cost the same in every placement.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from cellstats._native import UsageError
from cellstats.core.files import whole_text
from cellstats.core.pattern import Pattern
from cellstats.core.pattern_pairs import MEMORY
from cellstats.core.refusal import refusal, verbatim
from cellstats.placement.solvers import Assignment, assign, search_all, search_local

Rows: TypeAlias = list[list[float]]
"""Matrix of values from one CPU (row) to another (column), in the order of a list of CPUs."""
Counts: TypeAlias = list[list[int]]
"""Matrix of counts from one thread (row) to another (column)."""
Cores: TypeAlias = tuple[int, ...]
"""The core of each thread, as indices into `MessageCosts.cpus`."""
_UNITS_MAX = 1 << 48  # maximum cost of a placement; the limit of `assign` is four times as large
_UNITS_PER_NS = 1000.0
_SUMS_MAX = 10_000_000  # number of flow-cost products that a local search computes in a few seconds
_EVALUATIONS = (200, 20_000)
_WORST_STARTS = 2
_LATENCY, _COPY = ("mailbox", "signal"), ("dmaget", "dmaput")
_WRONG = "give what cellstats matrix --machine host --format json wrote"


@dataclass(frozen=True, slots=True)
class Measured:
    """Message costs from one measured matrix."""

    function: str
    cpus: tuple[int, ...]
    """The CPUs in topological order."""
    latency_ns: Rows | None
    """Latency of one message, or None in a matrix of copies."""
    byte_ns: Rows | None
    """Time per byte of a message, or None in a matrix of mailboxes or signals."""
    size_bytes: int | None
    """Size of the measured copies."""
    relations: list[list[str | None]]
    """Relation of every two CPUs, such as `same L3`."""
    nodes: Mapping[int, int]
    """The NUMA node of each CPU; empty if unknown."""
    environment: Mapping[str, Any]
    disturbed: tuple[str, ...]
    """Reasons to distrust the matrix."""

    def relation(self, a: int, b: int) -> str | None:
        """Relation of two CPUs of the matrix."""
        return self.relations[self.cpus.index(a)][self.cpus.index(b)]


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the cost: a count of messages or bytes, times the cost of one message or byte."""

    flow: Counts
    """Number of messages or bytes from each thread to each other thread."""
    cost_ns: Rows
    """Cost of one message or byte from each CPU to each other CPU; 0 on the diagonal."""


@dataclass(frozen=True, slots=True)
class MessageCosts:
    """Costs of messages between a list of CPUs."""

    cpus: tuple[int, ...]
    latency_ns: Rows | None
    byte_ns: Rows | None

    @classmethod
    def of(cls, matrices: Sequence[Measured], cpus: Sequence[int]) -> "MessageCosts":
        """Take the costs from one or two matrices, which must contain all `cpus`."""

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
        """The terms of a pattern's cost: one if all messages have the same size, else up to two."""
        # MODEL: a pattern costs the sum of its messages, as if each message were sent alone,
        # whatever its phase; on a real computer messages contend for caches and links. `--verify`
        # runs the resulting placement.
        messages, bytes_ = traffic(pattern)
        sizes = {t.bytes for _, t in pattern.transfers() if MEMORY not in (t.source, t.destination)}
        if not sizes:
            return []
        if len(sizes) == 1:
            return [Term(messages, self._message(float(sizes.pop())))]
        both = ((messages, self.latency_ns), (bytes_, self.byte_ns))
        return [Term(flow, rows) for flow, rows in both if rows]

    def mean_term(self, pattern: Pattern) -> Term:
        """The pattern's cost approximated by one term, as if all messages had the mean size."""
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
    """The number of messages, and of bytes, that each thread sends to each other thread."""
    messages = [[0] * pattern.threads for _ in range(pattern.threads)]
    bytes_ = [[0] * pattern.threads for _ in range(pattern.threads)]
    for _, transfer in pattern.transfers():
        source, destination = transfer.source, transfer.destination
        if source != MEMORY and destination != MEMORY:
            messages[source][destination] += transfer.repetitions
            bytes_[source][destination] += transfer.total_bytes
    return messages, bytes_


def read_matrix(path: Path | str) -> Measured:
    """Read a matrix from a file that `cellstats matrix --machine host --format json` wrote.

    Raises UsageError for a file of any other kind.
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
    """Turn the data of `HostMatrix.to_dict` into costs of messages.

    name: name of the matrix in error messages.

    Raises UsageError for a function that measures no messages, and for damaged data.
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
    """Latencies for mailbox and signal; for DMA, time per byte and size of the copies."""
    if function in _LATENCY:
        there_and_back = data["means"]["latency"] == "round trip"
        # MODEL: a message takes half of a round trip in either direction, whichever CPU initiates
        # it; a round trip does not tell which direction takes longer.
        share = 0.5 if there_and_back else 1.0
        both = zip(values, _turned(values), strict=True)
        rows = [[share * (a + b) / 2 for a, b in zip(*each, strict=True)] for each in both]
        return rows, None, None
    size = int(data["recipe"]["parameters"]["size_bytes"])
    if data["unit"] == "GB/s":
        # One byte per nanosecond is one GB per second.
        moved = float(data["means"]["bytes_per_iteration"])
        values = [[moved / value if value else 0.0 for value in row] for row in values]
    # The row is the initiator; in a get, data move from the partner to the initiator.
    from_row = values if function == "dmaput" else _turned(values)
    return None, [[value / size for value in row] for row in from_row], size


def _rows(values: Iterable[Iterable[Any]]) -> Rows:
    """Check that rows have 0 on the diagonal and positive numbers elsewhere.

    Raises ValueError or TypeError for other values.
    """
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


@dataclass(frozen=True, slots=True)
class Ends:
    """The best and the worst placement found."""

    best: Cores
    best_ns: float
    worst: Cores
    worst_ns: float
    bound_ns: float
    """Lower bound of the cost of any placement."""


def search(costs: MessageCosts, pattern: Pattern, first: Cores, seed: int) -> Ends:
    """Find the best and the worst placement; the placement `first` is a candidate for both."""
    terms = costs.terms(pattern)
    mean = costs.mean_term(pattern)
    best, bound_ns = _least(terms, mean, seed, None)
    # The worst placement is for comparison only, so its search makes fewer starts.
    worst, _ = _least([_reversed(term) for term in terms], _reversed(mean), seed, _WORST_STARTS)
    first_ns = cost_ns(terms, first)
    best_ns, worst_ns = cost_ns(terms, best), cost_ns(terms, worst)
    if first_ns <= best_ns:
        best, best_ns = first, first_ns
    if first_ns >= worst_ns:
        worst, worst_ns = first, first_ns
    return Ends(best, best_ns, worst, worst_ns, min(bound_ns, best_ns))


def cost_ns(terms: Sequence[Term], cores: Cores) -> float:
    """Cost of all messages with the threads on these cores."""
    return math.fsum(
        count * term.cost_ns[cores[source]][cores[destination]]
        for term in terms
        for source, destination, count in _entries(term.flow)
    )


def random_mean_ns(terms: Sequence[Term]) -> float:
    """Mean cost of all placements.

    Across all placements, each pair of threads occupies every pair of cores equally often.
    """
    means = (_mean_ns(term.cost_ns) for term in terms)
    counts = (sum(map(sum, term.flow)) for term in terms)
    return math.fsum(count * mean for count, mean in zip(counts, means, strict=True))


def _least(terms: Sequence[Term], mean: Term, seed: int, starts: int | None) -> tuple[Cores, float]:
    """Find the cheapest placement and a lower bound in ns; `assign` receives `starts`."""
    if not terms:
        return tuple(range(len(mean.flow))), 0.0
    alone = [_assigned(term, seed, starts) for term in terms]
    bound_ns = math.fsum(each.lower_bound / units for each, units in alone)
    if len(terms) == 1:
        return alone[0][0].placement, bound_ns
    units = min(_units(term) for term in terms)
    threads, cores = len(mean.flow), len(mean.cost_ns)
    sums = sum(len(_entries(term.flow)) for term in terms)
    least, most = _EVALUATIONS
    evaluations = max(least, min(most, _SUMS_MAX // sums))

    def costs(placements: list[Cores]) -> list[int]:
        return [round(cost_ns(terms, each) * units) for each in placements]

    if math.perm(cores, threads) <= evaluations:
        return search_all(costs, threads, cores).placement, bound_ns
    first = [each.placement for each, _ in alone] + [_assigned(mean, seed, starts)[0].placement]
    found = search_local(costs, threads, cores, seed=seed, evaluations=evaluations, first=first)
    return found.placement, bound_ns


def _assigned(term: Term, seed: int, starts: int | None) -> tuple[Assignment, float]:
    """The best placement for one term alone, and the number of cost units per nanosecond."""
    common = math.gcd(*(count for _, _, count in _entries(term.flow)))
    flow = [[count // common for count in row] for row in term.flow]
    units = _units(Term(flow, term.cost_ns))
    # Costs are rounded down, so that the bound remains a lower bound.
    distance = [[math.floor(value * units) for value in row] for row in term.cost_ns]
    return assign(flow, distance, seed=seed, starts=starts), units / common


def _units(term: Term) -> float:
    """Number of cost units per nanosecond that keeps every placement's cost below `_UNITS_MAX`."""
    most_ns = sum(map(sum, term.flow)) * max(map(max, term.cost_ns))
    return min(_UNITS_PER_NS, _UNITS_MAX / most_ns) if most_ns > 0 else _UNITS_PER_NS


def _reversed(term: Term) -> Term:
    """The term with inverted costs; its cheapest placement is the most expensive of `term`."""
    return Term(term.flow, _far(term.cost_ns))


def _mean_ns(rows: Rows) -> float:
    """Mean cost over all pairs of different cores."""
    pairs = len(rows) * (len(rows) - 1)
    return math.fsum(map(math.fsum, rows)) / pairs if pairs else 0.0


def _far(rows: Rows) -> Rows:
    most = max(map(max, rows))
    return [
        [0.0 if a == b else most - value for b, value in enumerate(row)]
        for a, row in enumerate(rows)
    ]


def _entries(flow: Counts) -> list[tuple[int, int, int]]:
    return [(i, j, count) for i, row in enumerate(flow) for j, count in enumerate(row) if count]
