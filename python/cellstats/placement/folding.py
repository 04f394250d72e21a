"""Folds a pattern of many threads onto fewer cores: a group of threads shares each core.

Messages inside a group need no way between cores, so few bytes between groups are wanted. This is a
quadratic assignment: the places of one core are at distance 0, and all other places at distance 1.
Of many threads, couples that exchange most are joined first. The groups' numbers of threads are
equal, or differ by one.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from cellstats._native import UsageError
from cellstats.assignment import assign
from cellstats.core.pattern import Pattern, Phase, Transfer, whole_dma
from cellstats.core.pattern_matrices import longest_message
from cellstats.core.pattern_pairs import MEMORY, End

Groups: TypeAlias = tuple[tuple[int, ...], ...]
"""The threads of each group, in ascending order; the groups ascend by their first threads."""

Traffic: TypeAlias = list[list[int]]
"""Bytes from each thread to each other thread."""

_UNITS_MAX = 1 << 49
"""Most bytes of a pattern for `assign`, whose limit is twice as large."""
_SEARCHED_MAX = 64
"""Threads above which couples are joined first, because a search finds less among more."""
_STARTS = 4
"""Searches from random groups. Of the NAS benchmarks with 32 and 64 ranks, none needs more."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """The threads that share cores."""

    threads: Groups
    """The threads of each group."""
    inside: float
    """Share of all bytes between threads, 0 to 1, that stays inside groups."""
    inside_blocks: float
    """The same share for groups of consecutive threads."""

    def to_dict(self) -> dict[str, Any]:
        """The groups in plain lists and numbers."""
        return {**asdict(self), "threads": [list(group) for group in self.threads]}

    def of_threads(self, placement: Sequence[int]) -> tuple[int, ...]:
        """The core of each thread, for a placement of the groups."""
        cores = zip(placement, self.threads, strict=True)
        core_of = {thread: core for core, group in cores for thread in group}
        return tuple(core_of[thread] for thread in sorted(core_of))


@dataclass(frozen=True, slots=True)
class Folded:
    """A pattern whose threads are groups of another pattern's threads."""

    pattern: Pattern
    """The messages between groups; its thread i is group i."""
    grouping: Grouping
    """The threads of each group."""
    in_blocks: "Folded | None"
    """The same pattern with groups of consecutive threads; None for itself, and if those groups
    send nothing to one another."""


def fold(pattern: Pattern, cores: int, seed: int = 0) -> Folded:
    """Group the threads of a pattern so that few bytes are sent between `cores` groups.

    The groups keep at least as many bytes inside as groups of consecutive threads.

    Raises UsageError if no messages between the groups are left to place.
    """
    traffic = _traffic(pattern)
    total = sum(map(sum, traffic))
    blocks = in_blocks(pattern.threads, cores)
    both = blocks, _few_between(traffic, [*map(len, blocks)], seed)
    inside = [_inside(traffic, groups) for groups in both]
    groups = both[inside.index(max(inside))]
    between = folded(pattern, groups)
    if between is None:
        listed = "; ".join(" ".join(map(str, group)) for group in groups)
        raise UsageError(
            f"{pattern.threads} threads on {cores} cores: in these groups, no core sends anything "
            f"to another, so there is nothing to place: {listed}"
        )
    shares = [each / total if total else 0.0 for each in inside]
    apart = folded(pattern, blocks)
    as_blocks = Grouping(blocks, shares[0], shares[0])
    consecutive = None if apart is None else Folded(apart, as_blocks, None)
    return Folded(between, Grouping(groups, max(shares), shares[0]), consecutive)


def in_blocks(threads: int, groups: int) -> Groups:
    """Groups of consecutive threads; the first groups have one thread more if need be.

    >>> in_blocks(5, 2)
    ((0, 1, 2), (3, 4))
    """
    least, more = divmod(threads, groups)
    starts = [group * least + min(group, more) for group in range(groups + 1)]
    return tuple(tuple(range(start, end)) for start, end in itertools.pairwise(starts))


def folded(pattern: Pattern, groups: Groups) -> Pattern | None:
    """The messages between groups, or None if there are none.

    In each phase, all messages from one group to another have one size: their mean size, weighted
    by bytes, or less if the buffers of a group's senders would not fit its local store. It is
    rounded up to what a DMA moves.
    """
    group_of = {thread: nth for nth, group in enumerate(groups) for thread in group}

    def end(of: End) -> End:
        return MEMORY if of == MEMORY else group_of[of]

    phases = []
    for phase in pattern.phases:
        merged: dict[tuple[End, End], list[Transfer]] = {}
        for transfer in phase.transfers:
            ends = end(transfer.source), end(transfer.destination)
            if ends[0] != ends[1]:
                merged.setdefault(ends, []).append(transfer)
        senders = [sum(to == group for _, to in merged) for group in range(len(groups))]
        most = longest_message(max(senders))
        phases.append(
            Phase(tuple(_merged(*ends, transfers, most) for ends, transfers in merged.items()))
        )
    if not any(phase.transfers for phase in phases):
        return None
    return Pattern(pattern.name, len(groups), tuple(phases))


def _merged(source: End, destination: End, transfers: Sequence[Transfer], most: int) -> Transfer:
    total = sum(transfer.total_bytes for transfer in transfers)
    mean = sum(transfer.total_bytes * transfer.bytes for transfer in transfers) / total
    times = math.ceil(total / min(mean, most))
    return Transfer(source, destination, whole_dma(total / times), times)


def _traffic(pattern: Pattern) -> Traffic:
    """Bytes from each thread to each other thread."""
    traffic = [[0] * pattern.threads for _ in range(pattern.threads)]
    for _, transfer in pattern.transfers():
        if transfer.source != MEMORY and transfer.destination != MEMORY:
            traffic[transfer.source][transfer.destination] += transfer.total_bytes
    return traffic


def _few_between(traffic: Traffic, sizes: Sequence[int], seed: int) -> Groups:
    """Groups of these sizes with few bytes between them."""
    if len(traffic) > _SEARCHED_MAX and not any(size % 2 for size in sizes):
        couples = _couples(traffic)
        joined = [[_sum_between(traffic, a, b) for b in couples] for a in couples]
        halves = _few_between(joined, [size // 2 for size in sizes], seed)
        return _sorted([thread for nth in half for thread in couples[nth]] for half in halves)
    core_of = [core for core, size in enumerate(sizes) for _ in range(size)]
    unit = max(math.gcd(*map(math.gcd, *traffic)), 1)
    unit *= max(math.ceil(sum(map(sum, traffic)) / unit / _UNITS_MAX), 1)
    flow = [[size // unit for size in row] for row in traffic]
    apart = [[int(a != b) for b in core_of] for a in core_of]
    found = assign(flow, apart, seed=seed, starts=_STARTS, nodes=1)
    groups: list[list[int]] = [[] for _ in sizes]
    for thread, place in enumerate(found.placement):
        groups[core_of[place]].append(thread)
    return _sorted(groups)


def _couples(traffic: Traffic) -> Groups:
    """All threads in couples: in turn, the two that exchange most of those that are left."""
    threads = range(len(traffic))
    left = set(threads)
    couples = []
    for _, *couple in sorted(
        (-traffic[a][b] - traffic[b][a], a, b) for a, b in itertools.combinations(threads, 2)
    ):
        if left.issuperset(couple):
            left.difference_update(couple)
            couples.append(couple)
    return _sorted(couples)


def _sorted(groups: Iterable[Iterable[int]]) -> Groups:
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def _sum_between(traffic: Traffic, senders: Iterable[int], receivers: Sequence[int]) -> int:
    return sum(traffic[a][b] for a in senders for b in receivers)


def _inside(traffic: Traffic, groups: Groups) -> int:
    return sum(_sum_between(traffic, group, group) for group in groups)
