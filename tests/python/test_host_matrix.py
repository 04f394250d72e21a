"""Matrices of recorded computers: pairs, their order, and the effect of a short budget."""

import json
import re
import sys
import time
from typing import Any

import pytest

import cellstats as cs
import recorded
from cellstats.core.terminal import wants_colour
from cellstats.host.matrices import HostMatrix, measure_matrix
from cellstats.show.matrix import matrix_text
from cellstats.show.tables import number
from host_answers import LATENCIES_NS, Answers


def measured(name: str, budget: str = "60s", **parameters: Any) -> tuple[HostMatrix, Answers]:
    answers = Answers()
    host = answers.on(recorded.host(name, answers))
    return measure_matrix("mailbox", machine=host, budget=budget, **parameters), answers


def test_every_ordered_pair_is_measured_where_there_is_time() -> None:
    matrix, answers = measured("desktop")
    assert matrix.labels == (0, 4, 1, 5, 2, 6, 3, 7)
    assert matrix.counts() == {"measured": 56, "mirrored": 0, "class": 0}
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
    assert lines[-1] == f"all 30 pairs measured in {lines[-1].rpartition(' in ')[2]}"


def test_text_has_intervals_and_extremes() -> None:
    matrix, _ = measured("hybrid", placement="0-3,16-17")
    text = matrix_text(matrix)
    result = matrix.results[16, 17]
    half = (result.latency_ns_ci_high - result.latency_ns_ci_low) / 2
    row = next(line for line in text.splitlines() if line.startswith("16 "))
    assert row.rstrip().endswith(f"{number(result.latency_ns)} ±{number(half)}")
    low, *_, high = sorted(v for row in matrix.values for v in row if v is not None)
    assert f"lowest {number(low)} ns (CPU " in text
    assert f"highest {number(high)} ns (CPU " in text
    large, _ = measured("chiplets")
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


def test_disturbed_pairs_are_named() -> None:
    def interrupt(answer: dict[str, Any]) -> None:
        answer["threads"][0]["involuntary_switches"] = 9

    answers = Answers(interrupt)
    host = answers.on(recorded.host("desktop", answers))
    matrix = measure_matrix("mailbox", machine=host, placement=[0, 1])
    assert "disturbed: 2 of 2 pairs, such as CPUs 0 and 1: " in matrix_text(matrix)
    assert set(matrix.to_dict()["disturbed_pairs"]) == {"0,1", "1,0"}


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
    from cellstats.show.matrix_figure import matrix_figure

    matrix, _ = measured("chiplets", "200ms")
    (axes, _bar) = matrix_figure(matrix).axes
    assert axes.get_xlabel() == "Partner (CPU)"
    # There are three boundaries between L3s, each drawn as a horizontal and a vertical line.
    assert len(axes.lines) == 6
