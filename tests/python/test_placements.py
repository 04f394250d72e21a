"""Measurements with many placements: the list, runs shared by equal placements, summaries."""

import csv
import io
import json
from itertools import permutations

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
    assert [line.split()[1] for line in lines[:2]] == ["µs", "GB/s"]
    assert "3 placements, 3 of them different" in lines
    assert any(line.startswith("best   --placement ") for line in lines)


def test_csv_has_a_row_for_each_placement_and_json_the_summary() -> None:
    arguments = ("-f", "mailbox", "-s", "--placements", "all", "-i", "100")
    rows = list(csv.DictReader(io.StringIO(command(*arguments, "--format", "csv")[1])))
    assert len(rows) == 30
    summary = json.loads(command(*arguments, "--format", "json")[1])
    assert summary["placements"] == 30
    assert summary["bandwidth_gb_s"] is None
    assert summary["latency_ns"]["min"] == min(float(row["latency_ns"]) for row in rows)
