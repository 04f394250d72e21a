"""The bench for rules: pattern search and intervals, tested on functions instead of machines."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from benches.rules.factors import Factor
from benches.rules.intervals import Probe, intervals, outward
from benches.rules.machine_files import MACHINES, with_interval
from benches.rules.machines import Override
from benches.rules.search import search

X = Factor("x", 5, range(101), "fitted")
Y = Factor("y", 8, range(8, 513), "fitted")
WORD = Factor("word", "plain", ["plain", "best", "worst"])


class Counted:
    """An objective function that records the machines for which it is called."""

    def __init__(self, worth: Callable[[Any], float | None]) -> None:
        self.worth = worth
        self.asked: list[Override] = []

    def __call__(self, machines: Sequence[Override]) -> list[float | None]:
        self.asked += machines
        return [self.worth(each) for each in machines]


def bowl(machine: Any) -> float | None:
    words = {"plain": 1.0, "best": 0.0, "worst": 5.0}
    if machine["x"] > 90:
        return None
    return float((machine["x"] - 77) ** 2 + abs(machine["y"] - 300) + words[machine["word"]])


def test_the_search_finds_the_bottom() -> None:
    *_, best = search(bowl_of := Counted(bowl), [X, Y, WORD], {}, 500)
    assert best.override == {"x": 77, "y": 300, "word": "best"}
    assert best.objective == 0
    keys = [str(sorted(each.items())) for each in bowl_of.asked]
    assert len(set(keys)) == len(keys) <= 500


def test_a_search_ends_with_its_budget_and_goes_the_same_way_again() -> None:
    few, more = Counted(bowl), Counted(bowl)
    some = list(search(few, [X, Y, WORD], {}, 40))
    every = list(search(more, [X, Y, WORD], {}, 80))
    assert len(few.asked) == 40
    assert few.asked == more.asked[:40]
    assert [step.override for step in every][: len(some) - 1] == [s.override for s in some[:-1]]


def test_other_values_of_the_start_stay() -> None:
    start = {"other": 3, "x": 77}
    first, *_ = search(Counted(bowl), [X, Y, WORD], start, 10)
    assert first.override == {"other": 3, "x": 77, "y": 8, "word": "plain"}


def test_no_machine_to_start_from_is_refused() -> None:
    with pytest.raises(ValueError, match="start from"):
        list(search(Counted(bowl), [X, Y, WORD], {"x": 95}, 10))


@pytest.mark.parametrize("edge", [5, 6, 17, 99, 100])
def test_the_edge_is_found_exactly(edge: int) -> None:
    for sign in (1, -1):
        asked: list[int] = []
        assert answer(outward(sign * 5, sign * 100), edge, asked) == sign * edge
        assert len(asked) <= 12


def answer(probe: Probe, edge: int, asked: list[int]) -> int:
    try:
        asked.append(next(probe))
        while True:
            asked.append(probe.send(abs(asked[-1]) <= edge))
    except StopIteration as end:
        return int(end.value)


def test_what_is_good_again_far_away_is_not_reached() -> None:
    asked = Counted(lambda machine: 0.0 if machine.get("x", 5) < 30 or machine["x"] > 60 else 1.0)
    [found] = intervals(asked, [X], 0.5)
    assert (found.low, found.high) == (0, 29)
    assert not found.is_open


def test_an_interval_is_where_the_objective_rises_by_the_threshold() -> None:
    worth = Counted(lambda machine: 1 + ((machine.get("x", 5) - 7) / 10) ** 2)
    [found] = intervals(worth, [X], 0.25)
    assert (found.low, found.high) == (2, 12)
    assert found.best[0] <= 1.04


def test_what_no_claim_depends_on_has_its_whole_range() -> None:
    refused_above = Counted(lambda machine: None if machine.get("y", 8) > 300 else 1.0)
    open_one, cut = intervals(refused_above, [X, Y], 0.1)
    assert open_one.is_open
    assert open_one.best == (1.0, 5)
    assert 300 - 505 // 64 <= cut.high <= 300


FILE = """# A machine.
[one]
size = { value = 1, unit = "x", basis = "fitted", range = [1, 2], source = "range = [8, 9]" }
[two] # more
size = { value = 1, unit = "x", basis = "fitted", range = [1, 2_000], source = "s" }  # why
other = { value = 1, unit = "x", basis = "documented", source = "s" }"""


def test_one_line_of_a_machine_file_changes_and_again() -> None:
    once = with_interval(FILE, "two.size", 1, 1500)
    assert once == FILE.replace("[1, 2_000]", "[1, 2_000], interval = [1, 1_500]")
    assert with_interval(once, "two.size", 1, 3) == once.replace("1_500", "3")
    first = with_interval(FILE, "one.size", 1, 1)
    assert first == FILE.replace("[1, 2],", "[1, 2], interval = [1, 1],")
    for missing in ("two.other", "three.size", "one.other"):
        with pytest.raises(ValueError, match=missing):
            with_interval(FILE, missing, 1, 2)


def test_the_machine_files_are_where_they_are_written() -> None:
    assert (MACHINES / "cell-be.toml").is_file()
