"""The cheapest and the most expensive placement for a pattern's messages.

Messages of one size are one quadratic assignment, which `crates/place` solves, with a lower bound
for all other placements. Messages of several sizes are two assignments, one of latencies and one of
bytes: each is solved alone, which bounds the sum from below. The least sum is found by trying all
placements if they are few, or else by a local search that starts from the two solutions.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cellstats.host.message_costs import Counts, MessageCosts, Rows, Term
from cellstats.placement.messages import Pattern
from cellstats.placement.solvers import Assignment, assign, search_all, search_local

Cores: TypeAlias = tuple[int, ...]
"""The core of each thread, as indices into `MessageCosts.cpus`."""
_UNITS_MAX = 1 << 48  # largest cost of a placement; assign takes four times as many
_UNITS_PER_NS = 1000.0
_SUMS_MAX = 10_000_000  # of flow times cost in a local search: some seconds
_EVALUATIONS = (200, 20_000)
_WORST_STARTS = 2


@dataclass(frozen=True, slots=True)
class Ends:
    """The best placement that was found, and the worst."""

    best: Cores
    best_ns: float
    worst: Cores
    worst_ns: float
    bound_ns: float
    """Lower bound of the cost of any placement."""


def search(costs: MessageCosts, pattern: Pattern, first: Cores, seed: int) -> Ends:
    """The best and the worst placement; `first` unless another one is better, or worse."""
    terms = costs.terms(pattern)
    mean = costs.mean_term(pattern)
    best, bound_ns = _least(terms, mean, seed, None)
    # The worst placement is for comparison only, so it gets fewer starts.
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
    """Mean cost of all placements, in which any two threads are on any two cores equally often."""
    means = (_mean_ns(term.cost_ns) for term in terms)
    counts = (sum(map(sum, term.flow)) for term in terms)
    return math.fsum(count * mean for count, mean in zip(counts, means, strict=True))


def _least(terms: Sequence[Term], mean: Term, seed: int, starts: int | None) -> tuple[Cores, float]:
    """The cheapest placement that is found, and the lower bound in ns; `starts` as of `assign`."""
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
    """The solution for one term, and its units of cost per nanosecond."""
    common = math.gcd(*(count for _, _, count in _entries(term.flow)))
    flow = [[count // common for count in row] for row in term.flow]
    units = _units(Term(flow, term.cost_ns))
    # Rounded down, so that the bound stays one.
    distance = [[math.floor(value * units) for value in row] for row in term.cost_ns]
    return assign(flow, distance, seed=seed, starts=starts), units / common


def _units(term: Term) -> float:
    """Units of cost per nanosecond, so few that no placement costs more than `_UNITS_MAX`."""
    most_ns = sum(map(sum, term.flow)) * max(map(max, term.cost_ns))
    return min(_UNITS_PER_NS, _UNITS_MAX / most_ns) if most_ns > 0 else _UNITS_PER_NS


def _reversed(term: Term) -> Term:
    """The term with large costs made small: its cheapest placement is the most expensive one."""
    return Term(term.flow, _far(term.cost_ns))


def _mean_ns(rows: Rows) -> float:
    """Mean over all pairs of different cores."""
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
