"""The time left is estimated from the work of rows, and does not jump."""

import csv
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import cellstats as cs
from cellstats.measure.sweeps import Row
from cellstats.measure.time_left import TimeLeft, Work, work_of

RECORDED = Path(__file__).parent / "recorded_durations.csv"
"""What some runs of the papers took, in seconds of a processor."""


def recorded() -> list[tuple[Work, float]]:
    with RECORDED.open(encoding="utf-8") as file:
        return [(_work(row), float(row.pop("seconds"))) for row in csv.DictReader(file)]


def _work(row: dict[str, str]) -> Work:
    names = ("iterations", "size", "spes", "level")
    given = {name: row[name] if name == "level" else int(row[name]) for name in names if row[name]}
    return work_of(Row(cs.machine(row["machine"]), row["function"], given))


def estimates(rows: list[tuple[Work, float]]) -> Iterator[tuple[float, float, float]]:
    """After each row: the seconds that it took, the estimate, and what it should be."""
    left = TimeLeft()
    left.expect({nth: work for nth, (work, _) in enumerate(rows)})
    true = sum(seconds for _, seconds in rows)
    for nth, (_, seconds) in enumerate(rows):
        left.took([nth], seconds)
        true -= seconds
        yield seconds, left.seconds, true


def papers(seed: int) -> list[tuple[Work, float]]:
    """Quick papers first, then the one that takes nearly all of the time, each in random order."""
    rows = recorded()
    random.Random(seed).shuffle(rows)
    return sorted(rows, key=lambda row: "blade-2100" in str(row[0].kind))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("faster", [1, 4, 0.3])
def test_the_estimate_is_right_after_a_fifth_of_the_time(seed: int, faster: float) -> None:
    # Quick rows are as quick as ever, but bulk traffic is faster or slower than guessed.
    rows = [(work, took / faster if work.seconds > 0.1 else took) for work, took in papers(seed)]
    total = sum(took for _, took in rows)
    for _, estimate, true in estimates(rows):
        if 0.1 * total < true < 0.8 * total:
            assert 0.5 < estimate / true < 2


@pytest.mark.parametrize("seed", range(5))
def test_the_estimate_never_jumps(seed: int) -> None:
    rows = papers(seed)
    total = sum(took for _, took in rows)
    before = None
    for took, estimate, true in estimates(rows):
        if before is not None and true > 0.1 * total:
            assert abs(estimate - (before - took)) < 0.3 * before
        before = estimate


def test_rows_that_were_not_expected_do_not_count() -> None:
    left = TimeLeft()
    left.expect({"a": Work("get", 1.0)})
    left.took(["b"], 5.0)
    assert (left.seconds, left.rows) == (1.0, 1)
    left.took(["a"], 5.0)
    assert (left.seconds, left.rows) == (0.0, 0)


def test_a_kind_learns_from_its_own_rows_first() -> None:
    left = TimeLeft()
    left.expect({name: Work(name[0], 10.0) for name in ("a1", "a2", "b1")})
    left.took(["a1"], 100.0)
    assert left.seconds > 60 + 10


@pytest.mark.parametrize("given", [{"size": "nonsense"}, {"iterations": []}, {"spes": "-"}])
def test_what_the_row_itself_refuses_is_no_error_here(given: dict[str, object]) -> None:
    assert work_of(Row(cs.machine("ps3"), "dmaget", given)).seconds > 0
