"""Times of patterns with many placements, and the effect of placement on an exchange."""

import csv
import io
from itertools import permutations

import pytest

import cellstats as cs
from cellstats.affinities import NAMES as AFFINITIES
from cellstats.affinities import affinity
from cellstats.measure.exchanges import bandwidth_gb_s, times
from cellstats.patterns import pattern
from command_line import cellstats

BOARD = cs.machine("eval-board")


def test_times_are_those_of_measurements() -> None:
    ring = pattern("ring", size="4k")
    placements = [affinity(BOARD, name) for name in AFFINITIES]
    for spes, cycles in zip(
        placements, times(BOARD, ring, placements, iterations=200), strict=True
    ):
        measured = BOARD.measure("exchange", pattern=ring, placement=spes, iterations=200)
        rate = bandwidth_gb_s(BOARD, ring, cycles, 200)
        assert measured.bandwidth_gb_s_own == pytest.approx(rate, rel=0.005)


def test_times_do_not_depend_on_how_they_are_shared_out() -> None:
    two = pattern("recursive-doubling", threads=4, size="1k")
    placements = list(permutations(range(8), 4))[::7]
    told: list[tuple[int, int]] = []
    one = times(BOARD, two, placements, jobs=1)
    other = times(BOARD, two, placements, jobs=3, advance=lambda *n: told.append(n))
    assert one == other
    assert told[-1][0] == told[-1][1]
    for nth in (0, 5, 50):
        assert times(BOARD, two, [placements[nth]]) == [one[nth]]


@pytest.mark.parametrize(
    ("placements", "message"),
    [
        ([[0, 1]], "a placement of 2 SPEs for 3 threads"),
        ([[0, 1, 8]], "SPE 8 is not usable"),
        ([[0, 1, 1]], "SPE 1 appears twice"),
        ([[0, 1, -1]], "-1 is out of range"),
    ],
)
def test_placements_that_cannot_be_are_refused(placements: list[list[int]], message: str) -> None:
    with pytest.raises(cs.UsageError, match=message):
        times(BOARD, pattern("ring", 3), placements)


def test_placements_of_an_exchange_are_listed_and_run_once() -> None:
    done = cs.placements(
        "exchange", machine=BOARD, which="all", pattern="ring", spes=3, size=512, iterations=5
    )
    assert (len(done), len(done.results)) == (336, 112)
    rows = cellstats(
        *("-f", "exchange", "--pattern", "ring", "-n", "3", "-b", "512", "-i", "5"),
        *("--placements", "all", "--machine", "eval-board", "--format", "csv"),
    ).out
    best = max(float(row["bandwidth_gb_s"]) for row in csv.DictReader(io.StringIO(rows)))
    assert done.bandwidth_gb_s is not None
    assert done.bandwidth_gb_s.max == best


def test_short_messages_do_not_care_where_threads_sit() -> None:
    # sudheer2009, section 1: affinity does not matter for short messages.
    ring = pattern("ring", size=128)
    cycles = times(BOARD, ring, [affinity(BOARD, name) for name in AFFINITIES], iterations=20)
    assert max(cycles) < 1.05 * min(cycles)


def test_overlapping_ways_cost_bandwidth() -> None:
    # sudheer2009, figure 2: overlap is the worst named affinity.
    ring = pattern("ring", size="64k")
    names = ["overlap", *(name for name in AFFINITIES if name not in ("overlap", "default"))]
    worst, *others = times(BOARD, ring, [affinity(BOARD, name) for name in names])
    assert worst > max(others)
    assert worst > 1.2 * min(others)


def test_to_rotate_an_affinity_changes_what_comes_out() -> None:
    # sudheer2009, section 4: rotating an affinity is not a symmetry.
    ring = affinity(BOARD, "ring")
    rotated = [
        tuple(ring[(ring.index(spe) + by) % 8] for spe in affinity(BOARD, "overlap"))
        for by in range(8)
    ]
    cycles = times(BOARD, pattern("ring", size="64k"), rotated)
    assert max(cycles) > 1.1 * min(cycles)
