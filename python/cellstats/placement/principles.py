"""The model by which sudheer2009 itself chose placements: three principles, without times.

The paper states principles, and no formula. A placement is good if its messages load all four rings
equally and, among such placements, if the paths on a ring seldom overlap. (The third principle is
about two Cells.) A message takes the shortest direction. Its load is its bytes times its hops. As
in the paper, the first thread stays on the first SPE, because placements that differ by a rotation
were assumed to be equal.

Many placements are equally good by these principles, and the paper does not say which of them it
took.
"""

import itertools
from collections.abc import Sequence
from functools import cache

from cellstats import _native
from cellstats.core.pattern import Pattern, Transfer
from cellstats.placement.rings import rings_of, routes
from cellstats.placement.search import Placement

_Path = tuple[int, int, int]
"""Direction, hops, and the set of segments as bits."""


def equally_good(
    machine: _native.Machine, pattern: Pattern, spes: Sequence[int]
) -> list[Placement]:
    """The placements on `spes` that the principles cannot tell apart, and find best.

    pattern: a pattern of one phase, without memory. There are as many threads as SPEs.
    """
    [phase] = pattern.phases
    messages = [
        (each.total_bytes, each.source, each.destination)
        for each in phase.transfers
        if isinstance(each.source, int) and isinstance(each.destination, int)
    ]

    elements = len(rings_of(machine)[0])

    @cache
    def paths(source: int, destination: int) -> tuple[_Path, ...]:
        found = routes(machine, [Transfer(0, 1, 1)], [source, destination], "0")
        return tuple(
            (each.direction, each.hops, sum(1 << at for at in each.segments(elements)))
            for each in found
        )

    def worth(placement: Placement) -> tuple[int, int]:
        return _worth(
            [(size, paths(placement[one], placement[two])) for size, one, two in messages]
        )

    every = [(spes[0], *rest) for rest in itertools.permutations(spes[1:])]
    worths = [worth(each) for each in every]
    best = min(worths)
    return [each for each, own in zip(every, worths, strict=True) if own == best]


def _worth(messages: list[tuple[int, tuple[_Path, ...]]]) -> tuple[int, int]:
    """How unequal the loads of the rings are, and how many pairs of paths overlap on a ring."""
    chosen: tuple[list[tuple[int, int]], ...] = ([], [])
    # A message halfway round the ring takes the direction with the smaller load.
    for size, paths in sorted(messages, key=lambda each: len(each[1])):
        loads = [sum(load for load, _ in of) for of in chosen]
        direction, hops, segments = min(paths, key=lambda path: loads[path[0]])
        chosen[direction].append((size * hops, segments))
    loads, overlaps = [], 0
    for of_direction in chosen:
        rings: tuple[list[tuple[int, int]], ...] = ([], [])
        for load, segments in sorted(of_direction, reverse=True):
            meet = [sum(bool(segments & other) for _, other in ring) for ring in rings]
            carried = [sum(other for other, _ in ring) for ring in rings]
            ring = min((0, 1), key=lambda each: (meet[each], carried[each]))
            overlaps += meet[ring]
            rings[ring].append((load, segments))
        loads += [sum(load for load, _ in ring) for ring in rings]
    return max(loads) - min(loads), overlaps
