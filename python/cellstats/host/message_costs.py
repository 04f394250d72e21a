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

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from cellstats._native import RunError
from cellstats.assignment import Assignment, assign, search_all, search_local
from cellstats.core.pattern import Pattern, Phase
from cellstats.core.pattern_pairs import MEMORY
from cellstats.host.cost_matrices import Measured, Rows

Counts: TypeAlias = list[list[int]]
"""Matrix of counts from one thread (row) to another (column)."""
Cores: TypeAlias = tuple[int, ...]
"""The core of each thread, as indices into `MessageCosts.cpus`."""
_UNITS_MAX = 1 << 48  # maximum cost of a placement; the limit of `assign` is four times as large
_UNITS_PER_NS = 1000.0
_SUMS_MAX = 10_000_000  # number of flow-cost products that a local search computes in a few seconds
_EVALUATIONS = (200, 20_000)
_WORST_STARTS = 2


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
        """Take the costs from one or two matrices, which must contain all `cpus`.

        Raises RunError if a matrix has no usable number for two of them.
        """
        for each in matrices:
            for (a, b), why in each.unusable.items():
                if a in cpus and b in cpus:
                    raise RunError(
                        f"{each.function} between CPUs {a} and {b} has no usable number ({why}); "
                        "measure with a larger budget, or leave one of them out"
                    )

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

    def run_ns(
        self, pattern: Pattern, cores: Cores, deviation: float
    ) -> tuple[float, float | None]:
        """The shortest and the longest time that a run of the pattern may take by these costs.

        The longest time is None if it depends on more than these costs.

        deviation: largest deviation of a cost, such as 0.1 for 10 %.
        """
        # MODEL: in the shortest run, all threads send at once, and a message that is repeated costs
        # nothing after the first time, because its buffer stays in the sender's cache. In the
        # longest run, messages are sent one after the other; each message moves twice more, when it
        # is read and because threads that run at once slow each other down; and at each barrier,
        # every thread tells every other one. Silicon may overlap more, or contend more.
        serial_ns = cost_ns(self.terms(pattern), cores)
        low_ns = cost_ns(self.terms(_once(pattern)), cores) / pattern.threads / (1 + deviation)
        with_memory = any(
            MEMORY in (each.source, each.destination) for _, each in pattern.transfers()
        )
        if self.latency_ns is None or with_memory:
            return low_ns, None
        slowest_ns = max(self.latency_ns[a][b] for a in cores for b in cores)
        barriers_ns = (len(pattern.phases) + 1) * (pattern.threads + 1) * slowest_ns
        return low_ns, (3 * serial_ns + barriers_ns) * (1 + deviation)

    def _message(self, size_bytes: float) -> Rows:
        zero = [[0.0] * len(self.cpus)] * len(self.cpus)
        pairs = zip(self.latency_ns or zero, self.byte_ns or zero, strict=True)
        return [
            [latency + size_bytes * byte for latency, byte in zip(*rows, strict=True)]
            for rows in pairs
        ]


def _once(pattern: Pattern) -> Pattern:
    """The pattern without repetitions."""
    phases = (
        Phase(tuple(replace(transfer, repetitions=1) for transfer in phase.transfers))
        for phase in pattern.phases
    )
    return replace(pattern, phases=tuple(phases))


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
