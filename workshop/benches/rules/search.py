"""Pattern search: moves from machine to better machine, factor by factor, in decreasing steps.

Each round tries all neighbours: every factor one step up and one step down, and, if a factor's
levels are words, every other word. The round then combines all moves that were improvements by
themselves. The next round starts from the best machine. If no machine is better, the steps are
halved. The path depends only on the objectives, so a search that is stopped and restarted repeats
the same path.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from benches.rules.factors import Factor
from benches.rules.machines import Override, Value

Point: TypeAlias = tuple[int, ...]
"""The position of each factor on its grid."""
Objective: TypeAlias = Callable[[Sequence[Override]], Sequence[float | None]]
"""Returns the objectives of many machines, or None for an impossible machine."""
FIRST_STEP = 0.25
"""Size of the first step, as a fraction of a factor's grid."""
LEAST_GAIN = 1e-9


@dataclass(frozen=True)
class Step:
    """A machine on the path of the search."""

    override: Override
    objective: float
    tried: int
    """Number of machines tried so far."""


def search(
    objective: Objective, factors: Sequence[Factor], start: Override, budget: int
) -> Iterator[Step]:
    """Yields the start, then each better machine; the last machine is the best.

    budget: number of machines to try, including those already in a journal.

    Raises ValueError if the start is an impossible machine.
    """
    tried: dict[Point, float | None] = {}

    def worth(points: Sequence[Point]) -> dict[Point, float]:
        new = list(dict.fromkeys(each for each in points if each not in tried))
        new = new[: budget - len(tried)]
        machines = [values(factors, each, start) for each in new]
        tried.update(zip(new, objective(machines) if new else [], strict=True))
        known = {each: tried[each] for each in points if each in tried}
        return {each: found for each, found in known.items() if found is not None}

    here = tuple(each.grid.index(start.get(each.name, each.value)) for each in factors)
    now = worth([here]).get(here)
    if now is None:
        raise ValueError("there can be no machine like the one to start from")
    yield Step(values(factors, here, start), now, len(tried))
    steps = [max(1, round(FIRST_STEP * (len(each.grid) - 1))) for each in factors]
    while len(tried) < budget:
        found = worth(neighbours(factors, here, steps))
        better = {each: one for each, one in found.items() if one < now - LEAST_GAIN}
        if better:
            found = better | worth([_together(here, better)])
            here = min(found, key=lambda each: found[each])
            now = found[here]
            yield Step(values(factors, here, start), now, len(tried))
        elif max(steps) == 1:
            return
        else:
            steps = [max(1, each // 2) for each in steps]


def neighbours(factors: Sequence[Factor], here: Point, steps: Sequence[int]) -> list[Point]:
    """Every factor one step up and down within its grid; for words, every other word."""
    found = []
    for nth, (factor, step) in enumerate(zip(factors, steps, strict=True)):
        last = len(factor.grid) - 1
        if factor.is_word:
            places = list(range(last + 1))
        else:
            places = [max(here[nth] - step, 0), min(here[nth] + step, last)]
        found += [(*here[:nth], place, *here[nth + 1 :]) for place in places if place != here[nth]]
    return found


def values(factors: Sequence[Factor], point: Point, start: Override) -> dict[str, Value]:
    """The values at a point; values without a factor are those of the start."""
    pairs = zip(factors, point, strict=True)
    return {**start, **{factor.name: factor.grid[place] for factor, place in pairs}}


def _together(here: Point, better: dict[Point, float]) -> Point:
    """The point that combines the best move of each factor."""
    moved = list(here)
    for point in sorted(better, key=lambda each: -better[each]):
        for nth, place in enumerate(point):
            if place != here[nth]:
                moved[nth] = place
    return tuple(moved)
