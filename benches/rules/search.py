"""Pattern search: from one machine to better ones, factor by factor, in steps that are halved.

At each step all neighbours are tried: every factor one step up and one down, a word every other
word. Then all factors move together that were better alone, and the best machine of them all is the
next one. If none is better, steps are halved. Which machines are tried depends on their objectives
and on nothing else, so a search that was stopped goes the same way again.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from benches.rules.factors import Factor
from benches.rules.machines import Override, Value

Point: TypeAlias = tuple[int, ...]
"""Where each factor is on its grid."""
Objective: TypeAlias = Callable[[Sequence[Override]], Sequence[float | None]]
"""What machines are worth, many at once; None for what cannot be."""
FIRST_STEP = 0.25
"""Share of a factor's grid."""
LEAST_GAIN = 1e-9


@dataclass(frozen=True)
class Step:
    """A machine that the search went to."""

    override: Override
    objective: float
    tried: int
    """Machines that were tried up to here."""


def search(
    objective: Objective, factors: Sequence[Factor], start: Override, budget: int
) -> Iterator[Step]:
    """Every better machine, the best last; the first is the start.

    budget: machines to try, those that a journal knows already among them.

    Raises ValueError if there can be no machine like the start.
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
    """Every factor one step up and down, as far as its grid goes; a word every other word."""
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
    """The values at a point; what is no factor stays as it is at the start."""
    pairs = zip(factors, point, strict=True)
    return {**start, **{factor.name: factor.grid[place] for factor, place in pairs}}


def _together(here: Point, better: dict[Point, float]) -> Point:
    """All moves at once, of each factor the best."""
    moved = list(here)
    for point in sorted(better, key=lambda each: -better[each]):
        for nth, place in enumerate(point):
            if place != here[nth]:
                moved[nth] = place
    return tuple(moved)
