"""Intervals: the range in which one value may move alone before claims contradict it.

The threshold is the loss of one claim: with N claims, the mean loss may rise by 1/N. One claim adds
1/N to the mean loss when it moves from its published number to the edge of its tolerance, or when a
trend is lost. If tolerances were standard deviations, the threshold would be a rise of the sum of
squares by 1, which bounds an interval of one standard deviation in a profile likelihood.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from benches.rules.factors import Factor
from benches.rules.search import Objective

Probe: TypeAlias = Generator[int, bool, int]
"""Yields grid positions, receives whether each is good enough, and returns the last good
position."""
FIRST_STEP = 8
"""The first step outward is the distance to the end of the grid, divided by this number."""
EXACT = 64
"""Size of the largest grid on which the edge is exact; in a larger grid, the error is the grid's
size divided by this number."""


@dataclass(frozen=True)
class Interval:
    """A value, and the range of positions around it that are good enough."""

    factor: Factor
    low: int
    high: int
    best: tuple[float, int]
    """The lowest objective found, and its position."""

    @property
    def is_open(self) -> bool:
        """Whether the interval is the whole range, so that no claim contradicts any value in it."""
        return (self.low, self.high) == self.factor.ends


def outward(start: int, end: int, resolution: int = 1) -> Probe:
    """Moves from the start in growing steps until a position is not good enough, then bisects.

    Starting from the far end would be wrong: a good position beyond worse positions belongs to a
    different machine.
    """
    away = 1 if end > start else -1
    good, step = start, max(1, abs(end - start) // FIRST_STEP)
    while good != end:
        place = good + away * min(step, abs(end - good))
        if not (yield place):
            break
        good, step = place, 2 * step
    else:
        return good
    bad = place
    while abs(bad - good) > resolution:
        middle = (good + bad) // 2
        if (yield middle):
            good = middle
        else:
            bad = middle
    return good


def intervals(objective: Objective, factors: Sequence[Factor], threshold: float) -> list[Interval]:
    """The interval of each number; the searches run at the same time.

    threshold: the maximum acceptable rise of the objective.

    """
    [now] = objective([{}])
    assert now is not None, "the machines as they are can be measured"
    asking: dict[tuple[int, int], tuple[Probe, int]] = {}
    edges: dict[tuple[int, int], int] = {}
    best = {nth: (now, factor.start) for nth, factor in enumerate(factors)}

    def advance(key: tuple[int, int], probe: Probe, ask: Callable[[], int]) -> None:
        try:
            asking[key] = probe, ask()
        except StopIteration as end:
            edges[key] = end.value

    for nth, factor in enumerate(factors):
        resolution = max(1, len(factor.grid) // EXACT)
        for side, end in enumerate((0, len(factor.grid) - 1)):
            probe = outward(factor.start, end, resolution)
            advance((nth, side), probe, lambda probe=probe: next(probe))  # type: ignore[misc]
    while asking:
        asked = dict(asking)
        asking.clear()
        machines = [
            {factors[nth].name: factors[nth].grid[place]} for (nth, _), (_, place) in asked.items()
        ]
        for (key, (probe, place)), found in zip(asked.items(), objective(machines), strict=True):
            if found is not None and found < best[key[0]][0]:
                best[key[0]] = found, place
            good = found is not None and found <= now + threshold
            advance(key, probe, lambda probe=probe, good=good: probe.send(good))  # type: ignore[misc]
    return [
        Interval(factor, _number(factor, edges[nth, 0]), _number(factor, edges[nth, 1]), best[nth])
        for nth, factor in enumerate(factors)
    ]


def _number(factor: Factor, place: int) -> int:
    value = factor.grid[place]
    assert isinstance(value, int), "words have no interval"
    return value
