"""Deviations of simulated from published numbers: quartiles, and the largest deviation."""

import re
from pathlib import Path
from typing import Any

import pytest

from cellstats.reproduce.verdicts import Outcome, paper
from cellstats.show.claims import DEVIATION_HEAD
from cellstats.show.deviation_strips import causes, strip
from cellstats.show.deviations import Quartiles, quartiles, worst
from command_line import cellstats
from test_reproduce import claim


@pytest.mark.parametrize(
    ("fields", "simulated", "deviation"),
    [
        ({"published": 100}, 90, 0.1),
        ({"published": 100}, 110, 0.1),
        ({"published": 2}, 0, 1),
        ({"published": (2, 3)}, 2.5, 0),
        ({"published": (2, 3)}, 1.5, 0.25),
        ({"published": (2, 3)}, 3.3, 0.1),
        ({"published": 0}, 1, None),
        ({"above": 1}, 2, None),
    ],
)
def test_a_deviation_counts_from_the_nearest_published_number(
    fields: dict[str, Any], simulated: float, deviation: float | None
) -> None:
    assert Outcome(claim(**fields), simulated).deviation == pytest.approx(deviation)


def values(found: Quartiles | None) -> tuple[float, ...]:
    assert found is not None
    return found.numbers, found.lower, found.median, found.upper


def test_quartiles_are_of_measured_claims_with_numbers_only() -> None:
    simulated = [100, 101, 102, 110, 180]
    outcomes = [Outcome(claim(published=100), each) for each in simulated]
    others = [
        Outcome(claim(kind="read-back", published=100), 300),
        Outcome(claim(above=1), 300),
        Outcome(claim(kind="method"), None),
    ]
    assert values(quartiles([*outcomes, *others])) == pytest.approx((5, 0.01, 0.02, 0.1))
    assert values(quartiles(outcomes[3:4])) == pytest.approx((1, 0.1, 0.1, 0.1))
    assert quartiles(others) is None


def test_the_worst_are_claims_that_are_off() -> None:
    simulated = [103, 50, 300, 120]
    outcomes = [Outcome(claim(published=100), each) for each in simulated]
    within = Outcome(claim(published=100, tolerance=0.9), 180)
    assert [each.simulated for each in worst([*outcomes, within])] == [300, 50, 120]


def test_a_strip_stacks_equal_numbers_and_names_the_worst() -> None:
    simulated = [100.4, 99.8, 112, 20, 290, None]
    found = strip([Outcome(claim(published=100), each) for each in simulated])
    assert found is not None
    assert [(mark.left, mark.level, mark.is_beyond) for mark in found.marks] == [
        (50, 0, False),
        (50, 1, False),
        (62, 0, False),
        (0, 0, True),
        (100, 0, True),
    ]
    assert (found.levels, found.worst.name) == (2, "T001 +190 %")
    assert strip([Outcome(claim(above=1), 2)]) is None


def test_causes_are_counted_of_claims_that_are_not_met() -> None:
    given = [("rings", 300), ("ppe", 300), ("ppe", 50), ("rings", 100), (None, 300)]
    outcomes = [Outcome(claim(published=100, cause=kind), each) for kind, each in given]
    assert [(each.name, each.number) for each in causes(outcomes)] == [
        ("PPE", 2),
        ("rings", 1),
        ("unexpected", 1),
    ]


def test_the_last_lines_say_how_far_numbers_are(tmp_path: Path) -> None:
    done = cellstats("reproduce", "kistler2006", "--figure", "6", "--out", str(tmp_path))
    [cause] = re.findall(r"^  K057\.local-store  131\.2 %.*\n    (.*)$", done.out, re.MULTILINE)
    assert (
        cause
        == next(
            each for each in paper("kistler2006").claims if each.id == "K057.local-store"
        ).reason
    )
    head, row = done.out.splitlines()[-4:-2]
    assert re.split("  +", head) == list(DEVIATION_HEAD)
    assert re.fullmatch(r"kistler2006 +\d+( +\d+\.\d %){3}", row)
