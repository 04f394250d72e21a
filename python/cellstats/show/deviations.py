"""Deviations of simulated numbers from published ones: quartiles, and a list of the largest.

A deviation is a fraction of the published number. Only measured claims with a published number have
a deviation here, and numbers that were held out, which are summarised apart. Claims about an
ordering have no number. Claims from whose number a value of the machine was chosen prove nothing.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from statistics import median, quantiles

from cellstats.reproduce.claims import HELD_OUT
from cellstats.reproduce.verdicts import Outcome

WORST = 10
"""Number of claims in the list of the largest deviations."""
BAND = 0.10
"""Half the width of the band around equality in pictures."""


@dataclass(frozen=True)
class Quartiles:
    """The number of deviations, and their quartiles."""

    numbers: int
    lower: float
    median: float
    upper: float


@dataclass(frozen=True)
class OutOfSample:
    """How far the simulator is from numbers that were held out."""

    numbers: int
    within: float
    """Share of the numbers that deviate by no more than the tolerance of such numbers."""
    median: float
    worst: float


def held_out(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes of numbers to which nothing was fitted, with the largest deviation first."""
    found = [
        each for each in outcomes if each.claim.kind == "held-out" and each.deviation is not None
    ]
    return sorted(found, key=_deviation, reverse=True)


def out_of_sample(outcomes: Iterable[Outcome]) -> OutOfSample | None:
    """Summary of the deviations from numbers that were held out; None without such numbers."""
    every = [_deviation(each) for each in held_out(outcomes)]
    if not every:
        return None
    within = sum(each <= HELD_OUT for each in every) / len(every)
    return OutOfSample(len(every), within, median(every), every[0])


def with_numbers(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes of measured claims that have a deviation."""
    return [
        each for each in outcomes if each.claim.kind == "measured" and each.deviation is not None
    ]


def _deviation(of: Outcome) -> float:
    assert of.deviation is not None
    return of.deviation


def quartiles(outcomes: Iterable[Outcome]) -> Quartiles | None:
    """The quartiles of the deviations; None if no claim has a published number."""
    every = [_deviation(each) for each in with_numbers(outcomes)]
    if not every:
        return None
    # A single number is passed twice, because `quantiles` needs two numbers.
    ends = quantiles(every if len(every) > 1 else every * 2, n=4, method="inclusive")
    return Quartiles(len(every), *ends)


def worst(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The claims that are off and deviate most, with the largest deviation first."""
    off = [each for each in with_numbers(outcomes) if each.verdict == "off"]
    return sorted(off, key=_deviation, reverse=True)[:WORST]


def percent(share: float | None) -> str:
    """A deviation as text.

    >>> percent(0.1234), percent(None)
    ('12.3 %', '–')
    """
    return "–" if share is None else f"{100 * share:.1f} %"


def cells(of: Quartiles | OutOfSample) -> list[str]:
    """A summary as the cells of a table: the number of deviations, and its shares."""
    numbers, *shares = astuple(of)
    return [str(numbers), *map(percent, shares)]
