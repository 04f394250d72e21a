"""Is a grade true in nineteen cases of twenty, and is it given as often as it is true?

The measurements are recorded: each has the number of the measurement that followed.
docs/guide/host.md shows the table of what was found.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cellstats.host.disturbances import DO_NOT_USE, GRADES, MOVED, VIRTUAL, Noticed
from cellstats.host.modes import modes_of_pairs
from cellstats.host.repetitions import REPETITIONS
from cellstats.host.statistics import Estimate, Similar, estimate, verdict

HERE = Path(__file__).parent
ALONE = Noticed(VIRTUAL, "this is a virtual machine")
ONE_CPU, TWO_CPUS = "one CPU of two", "between two CPUs of two"
SIXTEEN, NOISE = "between 16 CPUs, a matrix", "one or two CPUs of two, others at work"


@dataclass(frozen=True)
class Case:
    """A measurement and the next one."""

    series: str
    found: Estimate
    grade: str
    after: float

    @property
    def deviation(self) -> float:
        return max(self.after / self.found.value, self.found.value / self.after) - 1

    @property
    def held(self) -> bool:
        return self.deviation <= GRADES[self.grade]


def case(series: str, found: Estimate, after: float, noticed: list[Noticed]) -> Case:
    return Case(series, found, verdict(found, 18, found.parts, noticed).grade, after)


def read(name: str) -> Any:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


@cache
def recorded() -> dict[str, list[Case]]:
    """All cases by kind of computer and measurement."""
    two = read("recorded_pairs.json")["two_cpus_parts_ns"]
    alone = {name for name in two if name.startswith(("load", "copy"))}
    return {
        ONE_CPU: [each for name in alone for each in pairs(name, two[name], [ALONE])],
        TWO_CPUS: [each for name in two.keys() - alone for each in pairs(name, two[name], [MOVED])],
        SIXTEEN: list(sixteen(similar=True)),
        NOISE: list(noise()),
    }


def pairs(name: str, runs: list[list[float]], noticed: list[Noticed]) -> Iterator[Case]:
    """Fifty pairs of runs, one after the other."""
    for first, second in zip(runs[::2], runs[1::2], strict=True):
        if first and second:
            yield case(name, estimate(first, noticed), estimate(second).value, noticed)


def sixteen(*, similar: bool) -> Iterator[Case]:
    """Each pair of CPUs in a matrix, and in two later ones."""
    recorded = read("recorded_pairs.json")["sixteen_cpus"]
    modes = modes_of_pairs(each["medians_ns"] for each in recorded.values())
    assert modes is not None
    series = {}
    for name, each in recorded.items():
        medians = each["medians_ns"]
        kept = modes.prevailing(medians)
        series[name] = [one for one, keep in zip(medians, kept, strict=True) if keep]
    others = Similar(series.values(), alike=True) if similar else None
    for name, each in recorded.items():
        for after in each["next_ns"]:
            yield case("matrix", estimate(series[name], [ALONE], others), after, [ALONE])


def noise() -> Iterator[Case]:
    """Plain measurements, one after the other, on a computer that other programs used."""
    for name, medians in read("recorded_noise.json")["medians_ns"].items():
        for start in range(0, len(medians) - REPETITIONS, REPETITIONS):
            first, second = (medians[at : at + REPETITIONS] for at in (start, start + REPETITIONS))
            yield case(name, estimate(first, [ALONE]), estimate(second).value, [ALONE])


def least(count: int) -> float:
    """The share of so many cases that holds at least, if 95 % do; two standard deviations less."""
    return 0.95 - 2 * math.sqrt(0.95 * 0.05 / count)


@pytest.mark.parametrize("kind", [ONE_CPU, TWO_CPUS, SIXTEEN, NOISE])
def test_the_next_number_is_within_the_grade(kind: str) -> None:
    cases = recorded()[kind]
    assert sum(each.held for each in cases) / len(cases) >= least(len(cases))


@pytest.mark.parametrize("kind", [ONE_CPU, TWO_CPUS, SIXTEEN, NOISE])
def test_the_next_number_is_within_the_interval(kind: str) -> None:
    cases = recorded()[kind]
    holds = [(each.found.low or 0) <= each.after <= (each.found.high or 0) for each in cases]
    assert sum(holds) / len(cases) >= least(len(cases))


@pytest.mark.parametrize("grade", ["10 %", "20 %", "factor 2"])
def test_each_grade_is_true_by_itself(grade: str) -> None:
    given = [each for cases in recorded().values() for each in cases if each.grade == grade]
    assert len(given) > 50
    assert sum(each.held for each in given) / len(given) >= least(len(given))


def true_grade(cases: list[Case]) -> str:
    """The best grade that holds for nineteen of twenty of these cases."""
    deviations = sorted(each.deviation for each in cases)
    far = deviations[math.ceil(0.95 * len(deviations)) - 1]
    return next(grade for grade, most in GRADES.items() if far <= most)


def as_good_as_true(kind: str) -> float:
    """How often a number had the best grade that is true for its kind, or a better one."""
    by_series: dict[str, list[Case]] = {}
    for each in recorded()[kind]:
        by_series.setdefault(each.series, []).append(each)
    best = {series: GRADES[true_grade(cases)] for series, cases in by_series.items()}
    good = [GRADES[each.grade] <= best[each.series] for each in recorded()[kind]]
    return sum(good) / len(good)


@pytest.mark.parametrize(
    ("kind", "share"), [(ONE_CPU, 0.9), (TWO_CPUS, 0.7), (SIXTEEN, 0.9), (NOISE, 0.8)]
)
def test_the_best_true_grade_is_given(kind: str, share: float) -> None:
    assert as_good_as_true(kind) >= share


def test_similar_pairs_make_the_grade_of_a_matrix() -> None:
    def within_20(cases: Iterator[Case]) -> float:
        grades = [GRADES[each.grade] for each in cases]
        return sum(grade <= GRADES["20 %"] for grade in grades) / len(grades)

    # By itself, a pair says too little: the same pairs, with intervals of their own.
    assert within_20(sixteen(similar=True)) > 0.9
    assert within_20(sixteen(similar=False)) < 0.2


def row(kind: str) -> str:
    """A row of the guide's table."""
    cases = recorded()[kind]
    given = Counter(each.grade for each in cases)
    held = Counter(each.grade for each in cases if each.held)
    cells = [f"{held[grade]} of {given[grade]}" if given[grade] else "" for grade in GRADES]
    cells[-1] = str(given[DO_NOT_USE] or "")
    return " | ".join([f"| {kind}", *cells, f"{100 * as_good_as_true(kind):.0f} % |"])


@pytest.mark.parametrize("kind", [ONE_CPU, TWO_CPUS, SIXTEEN, NOISE])
def test_the_guide_has_the_table(kind: str) -> None:
    guide = (HERE.parent / "docs" / "guide" / "host.md").read_text(encoding="utf-8")
    assert row(kind) in guide.splitlines()
