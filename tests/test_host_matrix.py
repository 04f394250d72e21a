"""Matrices of recorded computers: pairs, their order, and the effect of a short budget."""

import itertools
import json
import re
import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest

import cellstats as cs
import recorded
from cellstats.core.terminal import wants_colour
from cellstats.host.host_machine import HostMachine
from cellstats.host.matrices import HostMatrix, measure_matrix
from cellstats.host.repetitions import REPETITIONS
from cellstats.host.statistics import PARTS
from cellstats.show.matrix import matrix_text
from cellstats.show.matrix_figure import matrix_figure
from cellstats.show.tables import number
from host_answers import LATENCIES_NS, Answers


def measured(name: str, budget: str = "60s", **parameters: Any) -> tuple[HostMatrix, Answers]:
    answers = Answers()
    host = answers.on(recorded.host(name, answers))
    return measure_matrix("mailbox", machine=host, budget=budget, **parameters), answers


def test_every_ordered_pair_is_measured_where_there_is_time() -> None:
    matrix, answers = measured("desktop")
    assert matrix.labels == (0, 4, 1, 5, 2, 6, 3, 7)
    assert matrix.counts() == {"measured": 56, "mirrored": 0, "class": 0, "unusable": 0}
    assert len(matrix.results) == 56
    assert {tuple(each["cpus"]) for each in answers.asked} == set(matrix.results)
    for i, row in enumerate(matrix.values):
        assert row[i] is None
        # In this order of CPUs, the two threads of a core are neighbours.
        assert round(row[i ^ 1] or 0) == LATENCIES_NS["same core"]
    assert list(matrix.by_relation()) == ["same core", "same L3"]


def test_a_short_budget_measures_one_pair_of_each_class_and_fills_in_the_rest() -> None:
    slow = Answers(lambda _answer: time.sleep(0.002))
    host = slow.on(recorded.host("two-sockets", slow))
    matrix = measure_matrix("mailbox", machine=host, budget="20ms")
    counts = matrix.counts()
    assert 0 < counts["measured"] < 60
    assert sum(counts.values()) == 72 * 71
    assert set(matrix.by_relation()) == {"same core", "same L3", "other package"}
    # Each pair that was not measured has the latency of its class.
    for row, relations in zip(matrix.values, matrix.relations, strict=True):
        for value, relation in zip(row, relations, strict=True):
            if relation is not None:
                assert round(value or 0) == LATENCIES_NS[relation]
    text = matrix_text(matrix)
    assert f"{counts['measured']} of 5112 pairs measured" in text
    assert "72 CPUs are too many for a table" in text


def test_hundreds_of_cpus_are_no_reason_to_wait() -> None:
    matrix, _ = measured("eight-nodes", "300ms")
    assert len(matrix.labels) == 256
    assert matrix.wall_ns < 10e9  # measuring all pairs would take minutes
    assert set(matrix.by_relation()) >= {"same core", "same L3", "other node", "other package"}
    assert [index for index, what in matrix.boundaries if what == "package"] == [128]


def test_which_cpus_and_in_which_order() -> None:
    matrix, _ = measured("chiplets", placement=[8, 0, 1])
    assert matrix.labels == (0, 1, 8)
    assert matrix.boundaries == ((2, "L3"),)


def test_a_dma_is_made_by_the_initiator() -> None:
    answers = Answers()
    host = answers.on(recorded.host("desktop", answers))
    matrix = measure_matrix("dmaget", machine=host, y="bandwidth", placement=[0, 1], size="4k")
    assert matrix.unit == "GB/s"
    assert set(matrix.results) == {(0, 1), (1, 0)}
    # Thread 0 owns the buffer.
    assert matrix.results[0, 1].placement == (1, 0)


@pytest.mark.parametrize(("ppe", "path"), [("library", "memory"), ("pipe", "pipe")])
def test_the_way_is_memory_unless_somebody_says(ppe: str, path: str) -> None:
    matrix, _ = measured("desktop", placement=[0, 1], ppe=ppe)
    assert {each.path for each in matrix.results.values()} == {path}


def test_text_shows_classes_boundaries_and_every_pair() -> None:
    matrix, _ = measured("hybrid", placement="0-3,16-17")
    lines = matrix_text(matrix).splitlines()
    assert lines[0].startswith("mailbox on host, latency_ns")
    assert any(line.startswith("same L2") for line in lines)
    assert any(set(line) == {"-"} for line in lines)
    row = next(line for line in lines if line.startswith("16 "))
    assert row.count("|") == 1
    assert lines[-2].startswith("all 30 pairs measured in ")
    assert lines[-1] == "good to within 1 %: 30"


def test_text_has_intervals_and_extremes() -> None:
    matrix, _ = measured("hybrid", placement="0-3,16-17")
    text = matrix_text(matrix)
    result = matrix.results[16, 17]
    half = (result.half_interval or 0) * result.latency_ns
    row = next(line for line in text.splitlines() if line.startswith("16 "))
    assert row.rstrip().endswith(f"{number(result.latency_ns)} ±{number(half)}")
    low, *_, high = sorted(v for row in matrix.values for v in row if v is not None)
    assert f"lowest {number(low)} ns (CPU " in text
    assert f"highest {number(high)} ns (CPU " in text
    large, _ = measured("chiplets", "500ms")
    assert "±" not in matrix_text(large)
    assert " % of the value at the median" in matrix_text(large)


def test_colours_change_nothing_but_the_colour() -> None:
    matrix, _ = measured("hybrid", placement="0-3,16-17")
    coloured = matrix_text(matrix, colour=True)
    cells = re.findall(r"\x1b\[48;5;(\d+);38;5;(\d+)m", coloured)
    assert len(cells) == 30
    # Text is dark on bright backgrounds, and bright on dark backgrounds.
    assert {letters for behind, letters in cells if int(behind) < 61} <= {"231"}
    assert {letters for behind, letters in cells if int(behind) > 61} <= {"16"}
    # The last cell of a text line may end with a coloured blank.
    plain = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    plain = re.sub(r"^colours: .*\n", "", plain, flags=re.MULTILINE)
    assert re.sub(r" +$", "", plain, flags=re.MULTILINE) == matrix_text(matrix)


@pytest.mark.parametrize(
    ("environment", "terminal", "wanted"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({}, True, False),
    ],
)
def test_colours_are_for_terminals_that_want_them(
    environment: dict[str, str], terminal: bool, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert wants_colour() == wanted


def test_json_holds_samples_and_intervals() -> None:
    matrix, _ = measured("desktop", placement=[0, 1])
    whole = json.loads(json.dumps(matrix.to_dict()))
    assert whole["labels"] == [0, 1]
    low, high = whole["intervals_ns"][0][1]
    assert low <= whole["values"][0][1] <= high
    assert len(whole["samples_ns"]["0,1"]) == matrix.results[0, 1].samples
    assert whole["sources"][1] == ["measured", None]
    assert whole["recipe"]["parameters"]["placement"] is None


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that advances by 1 ms at each reading, and is read once for each repetition."""
    clock = itertools.count(0, 1_000_000)
    monkeypatch.setattr(
        "cellstats.host.matrices.time", SimpleNamespace(monotonic_ns=clock.__next__)
    )


def uneven(bad: set[tuple[int, int]], factor: float) -> Answers:
    """Answers in which some pairs take `factor` times as long at times, at all scales of time."""
    turns = {pair: itertools.count() for pair in bad}

    def change(answer: dict[str, Any]) -> None:
        one, other = answer["threads"]
        nth = next(turns.get((one["cpu"], other["cpu"]), iter([0])))
        if nth.bit_length() % 2:
            one["samples_ns"] = [factor * each for each in one["samples_ns"]]

    return Answers(change)


@pytest.mark.usefixtures("ticks")
@pytest.mark.parametrize(
    ("factor", "grade", "letter"), [(1.2, "factor 2", "~"), (150_000.0, "do not use", "!")]
)
def test_a_pair_that_stays_bad_is_marked_and_not_used(
    factor: float, grade: str, letter: str
) -> None:
    answers = uneven({(0, 1)}, factor)
    host = answers.on(recorded.host("smt-off", answers))
    matrix = measure_matrix("mailbox", machine=host, placement=[0, 1, 2], budget="500ms")
    result = matrix.results[0, 1]
    assert result.grade == matrix.to_dict()["pairs"]["0,1"]["grade"] == grade
    assert list(matrix.bad()) == [(0, 1)]
    used = grade != "do not use"
    assert matrix.sources[0][1] == ("measured" if used else "mirrored")
    assert matrix.values[0][1] == (result.latency_ns if used else matrix.values[1][0])
    assert max(matrix.by_relation()["same L3"]) < 100
    text = matrix_text(matrix)
    row = next(line for line in text.splitlines() if line.startswith("0 "))
    assert row.count(letter) == 1
    assert f"\n{letter}: " in text
    assert "\nCPU 0 to CPU 1, " in text
    assert letter in matrix_figure(matrix).axes[0].get_xlabel()


@pytest.mark.usefixtures("ticks")
def test_the_budget_is_spent_on_the_pair_that_is_known_least() -> None:
    answers = uneven({(0, 1)}, 1.2)
    host = answers.on(recorded.host("smt-off", answers))
    matrix = measure_matrix("mailbox", machine=host, placement=[0, 1, 2], budget="500ms")
    counts = {pair: each.repetitions for pair, each in matrix.results.items()}
    others = [count for pair, count in counts.items() if pair != (0, 1)]
    assert counts[0, 1] > 2 * max(others)
    # The others take turns over the whole budget.
    assert max(others) - min(others) <= 1 + REPETITIONS - PARTS
    assert {tuple(each["cpus"]) for each in answers.asked[-24:]} == set(matrix.results)


@pytest.mark.usefixtures("ticks")
@pytest.mark.parametrize(
    ("factor", "grade"), [(1.0, "1 %"), (1.05, "10 %"), (1.7, "factor 2"), (1e5, "do not use")]
)
def test_pairs_with_few_repetitions_are_graded_by_their_class(factor: float, grade: str) -> None:
    count = itertools.count()

    def change(answer: dict[str, Any]) -> None:
        nth = next(count)
        if nth == 30:
            row = answer["threads"][0]
            row["samples_ns"] = [factor * each for each in row["samples_ns"]]

    answers = Answers(change)
    host = answers.on(recorded.host("smt-off", answers))
    matrix = measure_matrix("mailbox", machine=host, budget="45ms")
    few = [each for each in matrix.results.values() if each.repetitions == 1]
    assert len(few) == len(matrix.results) - 1 == 45
    worst = max(few, key=lambda each: each.latency_ns)
    assert worst.grade == grade
    assert worst.why == ("" if grade == "1 %" else "1 repetition")
    assert {each.grade for each in few if each is not worst} <= {"1 %", grade}


@pytest.mark.usefixtures("ticks")
def test_where_nothing_is_usable_that_is_said() -> None:
    answers = uneven({(0, 1), (1, 0)}, 150_000.0)
    host = answers.on(recorded.host("smt-off", answers))
    matrix = measure_matrix("mailbox", machine=host, placement=[0, 1], budget="500ms")
    assert matrix.counts()["unusable"] == 2
    assert matrix.by_relation() == {}
    assert "not to be used: 2" in matrix_text(matrix)
    with pytest.raises(cs.RunError, match="mailbox between CPUs 0 and 1 has no usable number"):
        cs.place("ring", machine=host, threads=2, size=64, matrices=[matrix])


@pytest.mark.parametrize(
    ("function", "parameters", "words"),
    [
        ("fetchadd", {}, "no matrix of 'fetchadd'"),
        ("mailbox", {"y": "bandwidth"}, "moves no data"),
        ("mailbox", {"budget": "never"}, "budget never"),
        ("mailbox", {"placement": [0]}, "a matrix takes two CPUs, give at least 2"),
        ("mailbox", {"placement": [0, 99]}, "placement 99"),
        ("mailbox", {"placement": "0-8"}, "placement 8: this process may use CPUs 0-7"),
        ("mailbox", {"placement": "random"}, "give placement LIST"),
        ("mailbox", {"budget": 0}, "budget 0: give a time"),
        ("dmaget", {"ppe": "futex"}, "only mailboxes and signals"),
        ("mailbox", {"cells": "1"}, "has no Cells"),
    ],
)
def test_what_is_refused(function: str, parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(cs.UsageError) as caught:
        measure_matrix(function, machine=recorded.host("desktop", Answers()), **parameters)
    assert words in str(caught.value)


def test_heat_maps_draw_the_boundaries() -> None:
    matrix, _ = measured("chiplets", "200ms")
    (axes, _bar) = matrix_figure(matrix).axes
    assert axes.get_xlabel() == "Partner (CPU)"
    # There are three boundaries between L3s, each drawn as a horizontal and a vertical line.
    assert len(axes.lines) == 6


def test_what_a_computer_does_to_all_pairs_is_said_once() -> None:
    answers = Answers()
    tree = recorded.tree("virtual-machine", {"proc/cpuinfo": "flags : fpu hypervisor"})
    host = answers.on(HostMachine(tree, answers))
    matrix = measure_matrix("mailbox", machine=host, placement=host.cpus[:2], budget="200ms")
    assert {each.grade for each in matrix.results.values()} == {"factor 10"}
    lines = [line for line in matrix_text(matrix).splitlines() if "may move CPUs" in line]
    assert len(lines) == 1
    assert ", and 1 more: good to within a factor of 10: the hypervisor" in lines[0]
