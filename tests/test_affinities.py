"""Named affinities: their SPEs, their hops, and measurements with a named placement."""

from itertools import permutations

import pytest

import cellstats as cs
from cellstats.affinities import NAMES, affinity, hops
from cellstats.patterns import pattern

BOARD, BLADE = cs.machine("eval-board"), cs.machine("qs20")


@pytest.mark.parametrize(
    ("name", "spes", "ring_hops"),
    [
        ("identity", (0, 1, 2, 3, 4, 5, 6, 7), [3, 4, 5, 6, 5, 4, 3, 6]),
        ("ring", (0, 2, 4, 6, 7, 5, 3, 1), [1, 1, 1, 3, 1, 1, 1, 3]),
        ("evenodd", (0, 4, 1, 5, 2, 6, 3, 7), [2, 5, 2, 6, 2, 5, 2, 6]),
        ("overlap", (0, 7, 2, 5, 4, 3, 6, 1), [6, 5, 6, 5, 6, 5, 6, 3]),
        ("leap2", (0, 4, 7, 3, 1, 5, 6, 2), [2, 4, 2, 1, 2, 4, 2, 1]),
    ],
)
def test_affinities_by_name(name: str, spes: tuple[int, ...], ring_hops: list[int]) -> None:
    assert affinity(BOARD, name) == spes
    assert hops(BOARD, pattern("ring"), spes) == [ring_hops]


@pytest.mark.parametrize("machine", cs.machine_names())
@pytest.mark.parametrize("name", NAMES)
def test_an_affinity_names_every_spe_once(machine: str, name: str) -> None:
    found = cs.machine(machine)
    assert sorted(affinity(found, name)) == sorted(found.spes)
    assert affinity(found, name, 3, seed=1) == affinity(found, name, seed=1)[:3]


def test_affinities_of_two_chips_fill_one_after_the_other() -> None:
    ring = affinity(BOARD, "ring")
    second = tuple(8 + spe for spe in ring)
    assert affinity(BLADE, "ring") == ring + second
    assert affinity(BLADE, "ring", cells="10") == second + ring
    assert affinity(BLADE, "ring", cells="1") == second
    for seed in range(5):
        assert sorted(affinity(BLADE, "default", 8, cells="1", seed=seed)) == list(range(8, 16))


def test_the_order_round_the_ring_is_the_one_with_the_fewest_hops() -> None:
    ring = pattern("ring")
    all_hops = [sum(hops(BOARD, ring, spes)[0]) for spes in permutations(range(8))]
    assert sum(hops(BOARD, ring, affinity(BOARD, "ring"))[0]) == min(all_hops)
    assert sum(hops(BOARD, ring, affinity(BOARD, "overlap"))[0]) == max(all_hops)


def test_explicit_affinities_and_their_errors() -> None:
    assert affinity(BOARD, "0,4-6") == (0, 4, 5, 6)
    assert affinity(BOARD, [3, 1], 1) == (3,)
    for name, threads, message in (
        ("rign", None, "did you mean ring?"),
        ("ring", 9, "9 threads: eval-board has 8 SPEs"),
        ("default", 9, "9 threads: eval-board has 8 SPEs"),
        ([0, 1], 3, "affinity of 2 SPEs for 3 threads"),
    ):
        with pytest.raises(cs.UsageError, match=message):
            affinity(BOARD, name, threads)
    for machine, cells in ((BOARD, 1), (BOARD, "01"), (BLADE, "2")):
        with pytest.raises(cs.UsageError, match="give 0"):
            affinity(machine, "ring", cells=cells)
    with pytest.raises(cs.UsageError, match="2 SPEs for 8 threads"):
        hops(BOARD, pattern("ring"), [0, 1])
    with pytest.raises(cs.UsageError, match="SPE 9 is out of range"):
        hops(BOARD, pattern("ring", 2), [0, 9])


@pytest.mark.parametrize("name", ["identity", "ring", "evenodd", "overlap", "leap2"])
def test_an_affinity_may_be_called_by_its_name(name: str) -> None:
    result = BLADE.measure("couples", spes=8, cells="1", placement=name, iterations=10)
    assert result.placement == affinity(BLADE, name, 8, cells="1")


def test_the_default_is_chance() -> None:
    given = {"spes": 4, "cells": "0", "seed": 7, "iterations": 10}
    by_name, by_chance = (
        BLADE.measure("couples", placement=name, **given).placement  # type: ignore[arg-type]
        for name in ("default", "random")
    )
    assert by_name == by_chance == affinity(BLADE, "default", 4, cells="0", seed=7)


def test_the_model_places_the_threads_of_a_pattern() -> None:
    result = BLADE.measure("exchange", pattern="ring", cells="0", placement="model", iterations=10)
    # `cellstats.place` compares what the model finds with other placements by simulation.
    placed = cs.place("ring", machine=BLADE, by="model", cells="0")
    assert result.placement == (placed.rejected or placed.placement)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("couples", "evnodd"), "did you mean evenodd"),
        (("couples", "model"), "give pattern"),
    ],
)
def test_an_affinity_that_cannot_be(arguments: tuple[str, str], message: str) -> None:
    function, name = arguments
    with pytest.raises(cs.UsageError, match=message):
        BLADE.measure(function, placement=name)
