"""Solvers that find the cheapest placement of threads on cores.

A placement lists the core of each thread. Cores are numbered from 0. Every thread has its own core,
and some cores may stay free. If the cost is traffic times distance, `assign` finds a placement and
a lower bound of its cost:

>>> flow = [[0, 5, 1], [5, 0, 0], [1, 0, 0]]
>>> distance = [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]
>>> found = assign(flow, distance)
>>> found.cost, found.optimal
(12, True)

If a function gives the cost, `search_all` tries every placement, and `search_local` descends from
placement to better placement. Both request the costs of many placements at once, so that the cost
function can work in parallel:

>>> def costs(placements):
...     return [abs(a - 2) + abs(b - 3) for a, b in placements]
>>> search_all(costs, threads=2, cores=4)
Found(placement=(2, 3), cost=0, evaluations=12)
>>> search_local(costs, threads=2, cores=4, starts=2).placement
(2, 3)
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import perm
from typing import SupportsIndex, TypeAlias

from cellstats import _native
from cellstats._native import UsageError
from cellstats.core.refusal import known_keywords

Matrix: TypeAlias = Iterable[Iterable[SupportsIndex]]
"""Rows of non-negative integers, as lists, tuples or NumPy arrays."""
Placement: TypeAlias = tuple[int, ...]
Costs: TypeAlias = Callable[[list[Placement]], Iterable[SupportsIndex]]
"""A function that returns the costs of placements, as non-negative integers in the same order."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A placement, its cost, and a lower bound for the cost of any placement."""

    placement: Placement
    """Core of each thread."""
    cost: int
    """Cost of the placement, in units of flow times units of distance."""
    lower_bound: int
    """Lower bound for the cost of any placement, in the same units."""

    @property
    def optimal(self) -> bool:
        """Whether the lower bound proves that no placement costs less."""
        return self.cost == self.lower_bound

    @property
    def gap(self) -> float:
        """Maximum share of the cost, from 0 to 1, that another placement could save."""
        return (self.cost - self.lower_bound) / self.cost if self.cost else 0.0


@known_keywords()
def assign(
    flow: Matrix,
    distance: Matrix,
    *,
    linear: Matrix | None = None,
    seed: int = 0,
    starts: int | None = None,
    moves: int | None = None,
    nodes: int | None = None,
) -> Assignment:
    """Place threads on cores so that the sum of traffic times distance is small.

    flow: threads × threads; `flow[i][j]` is the traffic from thread i to thread j, such as bytes.
    distance: cores × cores, with at least as many cores as threads; `distance[k][l]` is the
        distance from core k to core l, such as nanoseconds for each byte.
    linear: threads × cores; `linear[i][k]` is the cost of thread i on core k regardless of other
        threads, such as its traffic with memory, in units of flow times distance.

    The cost is the sum of `flow[i][j] * distance[core of i][core of j]` over all i and j, plus the
    linear costs. The matrices need not be symmetric, and their diagonals are included in the sum.

    seed: chooses the first placements of the tabu searches.
    starts: number of tabu searches.
    moves: number of moves in each tabu search.
    nodes: maximum number of nodes for branch and bound. With enough nodes, the search proves the
        optimum for a dozen threads, or for more threads if many threads or cores are alike.

    The defaults of `starts`, `moves` and `nodes` limit the search to a few seconds. Equal
    parameters give equal results on every computer. Ctrl-C ends the search.

    Raises UsageError for invalid matrices, and for costs above 2**50.
    """
    placement, cost, lower_bound = _native.assign(
        flow, distance, linear=linear, seed=seed, starts=starts, moves=moves, nodes=nodes
    )
    return Assignment(tuple(placement), cost, lower_bound)


@dataclass(frozen=True, slots=True)
class Found:
    """The best placement of a search."""

    placement: Placement
    """Core of each thread. If several placements are equally cheap, this is the first one tried."""
    cost: int
    """Cost of the placement, as returned by `costs`."""
    evaluations: int
    """Number of placements tried."""


@known_keywords()
def search_all(
    costs: Costs, threads: int, cores: int, *, batch: int = 1024, limit: int = 1_000_000
) -> Found:
    """Try every placement, in lexicographic order.

    costs: returns the cost of each of several placements.
    batch: largest number of placements in one call of `costs`.
    limit: largest number of placements in total.

    Before trying any placement, raises UsageError for more placements than `limit` and for more
    threads than cores. Raises UsageError for costs that are negative or not integers.
    """
    search = _native.Search.all(threads, cores)
    count = perm(cores, threads)
    if count > limit:
        raise UsageError(
            f"{threads} threads on {cores} cores have {count} placements, and {limit} are the "
            "limit; raise it, or use search_local"
        )
    return _run(search, costs, batch)


@known_keywords()
def search_local(
    costs: Costs,
    threads: int,
    cores: int,
    *,
    seed: int = 0,
    starts: int = 10,
    evaluations: int = 10_000,
    first: Sequence[Sequence[int]] = (),
    batch: int = 128,
) -> Found:
    """Improve several placements, each until neither a swap of two threads nor a move to a free
    core reduces its cost.

    costs: returns the cost of each of several placements.
    seed: chooses the random placements to start from.
    starts: maximum number of descents.
    evaluations: maximum number of placements to try. No placement is tried twice.
    first: starting placements of the first descents, such as the result of `assign`. The cheapest
        of these placements is used first. Other descents start from random placements.
    batch: largest number of placements in one call of `costs`. A larger batch compares more
        neighbours before each step, and runs more descents concurrently. Searches with equal seeds
        and batches try the same placements.

    Raises UsageError for more threads than cores, and for costs that are negative or not integers.
    """
    search = _native.Search.local(
        threads, cores, seed=seed, starts=starts, evaluations=evaluations, first=first
    )
    return _run(search, costs, batch)


def _run(search: _native.Search, costs: Costs, batch: int) -> Found:
    while asked := search.ask(batch):
        search.tell(costs([tuple(placement) for placement in asked]))
    best = search.best
    assert best is not None, "a search asks for one placement at least"
    placement, cost = best
    return Found(tuple(placement), cost, search.told)
