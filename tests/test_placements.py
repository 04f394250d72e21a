"""Measurements with many placements: the list, runs shared by equal placements, summaries."""

import csv
import io
import json
from itertools import permutations
from typing import Any

import pytest

import cellstats as cs
from command_line import cellstats as command

BOARD = ("--machine", "eval-board")


def test_all_placements_are_all_and_each_once() -> None:
    done = cs.placements("couples", machine="ps3", which="all", spes=2, iterations=4)
    assert sorted(done.placements) == sorted(permutations(range(6), 2))
    assert len(done) == 30
    assert done.seed is None


@pytest.mark.parametrize(
    ("function", "first", "second"),
    [
        ("couples", (0, 1, 2, 3), (2, 3, 0, 1)),
        ("cycle", (5, 0, 3, 4), (3, 4, 5, 0)),
        ("pairwise", (5, 1, 2, 3), (3, 2, 1, 5)),
        ("complement", (0, 4, 5, 3), (3, 5, 4, 0)),
        ("hotspot", (0, 4, 5, 3), (3, 5, 4, 0)),
    ],
)
def test_placements_that_only_change_names_are_one_run(
    function: str, first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    ps3 = cs.machine("ps3")
    one, other = (
        ps3.measure(function, spes=4, size="2k", iterations=300, placement=spes)
        for spes in (first, second)
    )
    assert one.simulated_ns == other.simulated_ns
    assert one.counters == other.counters
    ticks = [{row.spe: row.ticks for row in result.per_spe} for result in (one, other)]
    assert ticks[0] == ticks[1]
    done = cs.placements(function, machine=ps3, which="all", spes=4, size="2k", iterations=10)
    runs = dict(zip(done.placements, done.runs, strict=True))
    assert runs[first] == runs[second]


def test_summaries_count_every_placement() -> None:
    done = cs.placements("couples", machine="ps3", which="all", spes=4, iterations=20)
    assert (len(done), len(done.results)) == (360, 180)
    values = [row["bandwidth_gb_s"] for row in done.rows()]
    bandwidth = done.bandwidth_gb_s
    assert bandwidth is not None
    assert bandwidth.mean == pytest.approx(sum(values) / 360)
    assert (bandwidth.min, bandwidth.max) == (min(values), max(values))
    assert done.best.bandwidth_gb_s == bandwidth.max
    assert done.worst.bandwidth_gb_s == bandwidth.min


def test_a_seed_chooses_the_random_placements() -> None:
    def listed(seed: int) -> tuple[tuple[int, ...], ...]:
        return cs.placements("cycle", which=5, seed=seed, iterations=2).placements

    assert listed(1) == listed(1) != listed(2)
    assert len(listed(1)) == 5


def test_the_command_prints_means_then_a_table() -> None:
    status, text, _ = command("-f", "couples", "--placements", "3", "-i", "20", *BOARD)
    lines = text.splitlines()
    assert status == 0
    assert [line.split()[-1] for line in lines[:2]] == ["µs", "GB/s"]
    assert "3 placements, 3 of them different" in lines
    assert any(line.startswith("best   --placement ") for line in lines)


@pytest.mark.parametrize(
    ("flags", "first", "named"),
    [
        (("couples", "-n", "2", "--batch", "0"), "an iteration every ", "iteration"),
        (("couples", "-n", "2", "--batch", "1"), "", "latency"),
        (("mailbox", "-s"), "", "latency"),
    ],
)
def test_the_time_of_dmas_that_overlap_is_not_called_latency(
    flags: tuple[str, ...], first: str, named: str
) -> None:
    one = command("-f", *flags, "-i", "20")[1].splitlines()[0]
    many = command("-f", *flags, "-i", "20", "--placements", "2", "-v")[1].splitlines()
    assert one.startswith(first)
    assert many[0].startswith(first)
    assert many[0][len(first)].isdigit()
    assert named in {line.partition(" ")[0] for line in many}
    [header] = [line.split() for line in many if line.startswith("placement ")]
    assert header[1] == named


def test_csv_has_a_row_for_each_placement_and_json_the_summary() -> None:
    arguments = ("-f", "mailbox", "-s", "--placements", "all", "-i", "100")
    rows = list(csv.DictReader(io.StringIO(command(*arguments, "--format", "csv")[1])))
    assert len(rows) == 30
    summary = json.loads(command(*arguments, "--format", "json")[1])
    assert summary["placements"] == 30
    assert summary["bandwidth_gb_s"] is None
    assert summary["latency_ns"]["min"] == min(float(row["latency_ns"]) for row in rows)


def test_one_of_each_orbit_counts_for_its_whole_orbit() -> None:
    given: dict[str, Any] = {"machine": "eval-board", "spes": 4, "iterations": 20}
    every = cs.placements("couples", which="all", **given)
    done = cs.placements("couples", which="orbits", **given)
    assert (len(every), len(every.results)) == (1680, 840)
    assert (len(done), len(done.results)) == (228, 228)
    assert done.seed is None
    assert done.stands_for is not None
    assert sum(done.stands_for) == len(every)
    # The runs are those of the same placements among all placements.
    runs = dict(zip(every.placements, every.runs, strict=True))
    assert [every.results[runs[spes]] for spes in done.placements] == list(done.results)
    one, other = done.bandwidth_gb_s, every.bandwidth_gb_s
    assert one is not None
    assert other is not None
    weighted = zip(done.results, done.stands_for, strict=True)
    total = sum((result.bandwidth_gb_s or 0) * times for result, times in weighted)
    assert one.mean == pytest.approx(total / 1680)
    assert one.mean == pytest.approx(other.mean, rel=0.01)
    assert other.min <= one.min < one.max <= other.max


def test_the_orbit_of_a_placement_is_what_turning_and_mirroring_the_ring_makes_of_it() -> None:
    # PPE 1 3 5 7 IOIF1 IOIF0 6 4 2 0 MIC
    done = cs.placements("couples", machine="eval-board", which="orbits", spes=2, iterations=1)
    images = [
        dict(enumerate(range(8))),
        dict(enumerate([7, 6, 5, 4, 3, 2, 1, 0])),  # half a turn
        dict(enumerate([1, 0, 3, 2, 5, 4, 7, 6])),  # PPE and MIC change places
        dict(enumerate([6, 7, 4, 5, 2, 3, 0, 1])),  # PPE and IOIF1 change places
    ]
    orbits = [{tuple(image[spe] for spe in spes) for image in images} for spes in done.placements]
    assert tuple(map(len, orbits)) == done.stands_for
    assert set().union(*orbits) == set(permutations(range(8), 2))


def test_one_of_each_orbit_is_shown_as_such() -> None:
    arguments = ("-f", "couples", "-n", "2", "--placements", "orbits", "-i", "20", *BOARD)
    lines = command(*arguments)[1].splitlines()
    assert "14 of 56 placements, one of each orbit, which counts for the whole orbit" in lines
    rows = list(csv.DictReader(io.StringIO(command(*arguments, "--format", "csv")[1])))
    assert [row["stands_for"] for row in rows] == ["4"] * 14
    summary = json.loads(command(*arguments, "--format", "json")[1])
    assert (summary["placements"], summary["different"], summary["orbits"]) == (56, 14, True)
    assert summary["seed"] is None


def test_traffic_with_memory_has_no_orbits_but_equal_runs() -> None:
    given: dict[str, Any] = {"machine": "eval-board", "spes": 2, "iterations": 5}
    every = cs.placements("hotspot", which="all", **given)
    done = cs.placements("hotspot", which="orbits", **given)
    assert done.results == every.results
    assert done.bandwidth_gb_s == every.bandwidth_gb_s
