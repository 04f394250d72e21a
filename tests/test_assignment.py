"""Assignment of threads to cores: tests with QAPLIB, exhaustive search, and bad input."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from itertools import count, permutations
from typing import Any

import numpy as np
import pytest

import cellstats as cs
from cellstats.assignment import Placement, assign, search_all, search_local
from qaplib import ALL, nug12, nug30

# Two chips of four SPEs: a hop on the ring costs 1, and crossing to the other chip costs 10 more.
CHIPS = [
    [min(abs(k - m) % 4, 4 - abs(k - m) % 4) + 10 * (k // 4 != m // 4) for m in range(8)]
    for k in range(8)
]
# A cyclic pipeline: each stage sends to the next stage, and the last stage sends to the first.
PIPELINE = [[0, 3, 0, 0, 0], [0, 0, 9, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 7], [2, 0, 0, 0, 0]]


def cost_of(
    flow: list[list[int]],
    distance: list[list[int]],
    placement: Iterable[int],
    linear: list[list[int]] | None = None,
) -> int:
    """The cost of a placement, as defined in the docstring of `assign`."""
    on = list(placement)
    talk = sum(flow[i][j] * distance[k][m] for i, k in enumerate(on) for j, m in enumerate(on))
    return talk + sum(linear[i][k] for i, k in enumerate(on) if linear)


@pytest.mark.parametrize("name", ALL)
def test_the_bound_is_the_published_one(name: str) -> None:
    instance = ALL[name]()
    found = assign(instance.flow, instance.distance, starts=0, nodes=0)
    assert found.lower_bound == instance.gilmore_lawler


@pytest.mark.parametrize("name", ["nug12", "chr12a", "esc16a", "tai12a"])
def test_the_published_optimum_is_found_and_proven(name: str) -> None:
    instance = ALL[name]()
    found = assign(instance.flow, instance.distance)
    assert (found.cost, found.optimal, found.gap) == (instance.best, True, 0.0)
    assert cost_of(instance.flow, instance.distance, found.placement) == instance.best


@pytest.mark.parametrize(("name", "seed"), [("nug30", 0), ("tai30a", 1)])
def test_the_best_that_is_known_of_thirty_is_found(name: str, seed: int) -> None:
    instance = ALL[name]()
    found = assign(instance.flow, instance.distance, seed=seed, starts=1, moves=50_000, nodes=0)
    assert found.cost == instance.best
    assert cost_of(instance.flow, instance.distance, found.placement) == instance.best
    assert not found.optimal
    assert found.gap == pytest.approx(1 - instance.gilmore_lawler / instance.best)


def test_fewer_threads_than_cores_stay_on_one_chip() -> None:
    four = [row[:4] for row in PIPELINE[:4]]
    found = assign(four, CHIPS)
    assert (found.cost, found.optimal) == (3 + 9 + 1, True)
    assert len({core // 4 for core in found.placement}) == 1


def test_no_placement_is_better_than_the_proven_one() -> None:
    linear = [[(i * 7 + k * 5) % 11 for k in range(8)] for i in range(5)]
    for of_core in (None, linear):
        found = assign(PIPELINE, CHIPS, linear=of_core)
        costs = [cost_of(PIPELINE, CHIPS, p, of_core) for p in permutations(range(8), 5)]
        assert (found.cost, found.optimal) == (min(costs), True)
        assert cost_of(PIPELINE, CHIPS, found.placement, of_core) == found.cost


def test_matrices_may_be_numpy_arrays() -> None:
    found = assign(np.array(PIPELINE), np.array(CHIPS, dtype=np.uint8))
    assert found == assign(PIPELINE, CHIPS)


def test_equal_seeds_give_equal_answers_and_others_others() -> None:
    def found(seed: int) -> Placement:
        instance = nug30()
        found = assign(instance.flow, instance.distance, seed=seed, starts=1, moves=10, nodes=0)
        return found.placement

    assert found(1) == found(1) != found(2)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (([], [[0]]), "flow has no rows; give one for each thread"),
        ((7, [[0]]), "flow: 7 is not a list of rows"),
        (([7], [[0]]), "flow: 7 is not a list of whole numbers"),
        (([[0.5]], [[0]]), f"flow: 0.5 is not a whole number; give 0 to {2**50}"),
        (([[-1]], [[0]]), f"flow: -1 is out of range; give 0 to {2**50}"),
        (([["x\n"]], [[0]]), f"flow: 'x\\n' is not a whole number; give 0 to {2**50}"),
        (([[0, 0]], [[0]]), "flow: row 0 has 2 columns; give 1"),
        (([[0]], [[0], [0]]), "distance: row 0 has 1 columns; give 2"),
        (
            ([[0, 0], [0, 0]], [[0]]),
            "2 threads do not fit on 1 cores; give each thread a core of its own",
        ),
        (([[0]], [count()]), "distance: row 0 has 1025 columns; give 1"),
        (
            ([[2**50]], [[2]]),
            f"a placement could cost up to {2**51}; scale the numbers down until it is {2**50}",
        ),
    ],
)
def test_what_is_no_problem_is_refused_in_one_line(arguments: tuple[Any, Any], line: str) -> None:
    with pytest.raises(cs.UsageError) as caught:
        assign(*arguments)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"linear": [[0]]}, "linear: row 0 has 1 columns; give 2"),
        ({"seed": -1}, "seed -1 is out of range"),
        ({"starts": 2**32}, "starts 4294967296 is out of range; give 0 to 4294967295"),
        ({"moves": "many"}, "moves 'many' is not a whole number"),
        ({"nodes": 1.5}, "nodes 1.5 is not a whole number"),
    ],
)
def test_options_are_checked(option: dict[str, Any], words: str) -> None:
    with pytest.raises(cs.UsageError, match=words.replace(".", r"\.")):
        assign([[0]], [[0, 1], [1, 0]], **option)


def test_ctrl_c_ends_it_and_others_run_meanwhile() -> None:
    def interrupt() -> None:
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    instance = nug30()
    with pytest.raises(KeyboardInterrupt):
        assign(instance.flow, instance.distance, moves=2**62, nodes=2**62)
    thread.join()


def asked_of(search: Callable[..., Any], **how: Any) -> list[Placement]:
    """Run a search with several local optima, and return all placements that it evaluates."""
    asked: list[Placement] = []

    def costs(placements: list[Placement]) -> list[int]:
        asked.extend(placements)
        assert len(placements) <= how.get("batch", 2**20)
        return [cost_of(PIPELINE, CHIPS, placement) for placement in placements]

    found = search(costs, 5, 8, **how)
    assert found.evaluations == len(asked)
    assert found.cost == min(cost_of(PIPELINE, CHIPS, placement) for placement in asked)
    assert found.cost == cost_of(PIPELINE, CHIPS, found.placement)
    return asked


@pytest.mark.parametrize("batch", [1, 7, 2**20])
def test_all_placements_are_tried_in_lexical_order(batch: int) -> None:
    assert asked_of(search_all, batch=batch) == list(permutations(range(8), 5))


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_no_placement_is_tried_twice(batch: int) -> None:
    asked = asked_of(search_local, batch=batch, evaluations=700)
    assert len(set(asked)) == len(asked) <= 700
    assert asked == asked_of(search_local, batch=batch, evaluations=700)
    assert asked != asked_of(search_local, batch=batch, evaluations=700, seed=1)


def test_local_search_finds_the_optimum_of_a_dozen_threads() -> None:
    instance = nug12()

    def costs(placements: list[Placement]) -> list[int]:
        flow, distance = np.array(instance.flow), np.array(instance.distance)
        return [int((flow * distance[np.ix_(p, p)]).sum()) for p in placements]

    found = search_local(costs, 12, 12, seed=1, starts=100, evaluations=20_000, batch=1000)
    assert found.cost == instance.best
    # A search that starts at the optimum ends after it has evaluated all neighbours.
    again = search_local(costs, 12, 12, starts=1, first=[found.placement])
    assert (again.placement, again.evaluations) == (found.placement, 1 + 12 * 11 // 2)


def test_too_many_placements_are_refused_before_any_is_tried() -> None:
    def costs(_: list[Placement]) -> list[int]:
        raise AssertionError

    with pytest.raises(
        cs.UsageError, match="16 cores have 20922789888000 placements, and 1000000 are"
    ):
        search_all(costs, 16, 16)


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ([1], "1 costs were told for 2 placements"),
        ([1, 2, 3], "3 costs were told for 2 placements"),
        ([1, 0.5], "costs: 0.5 is not a whole number"),
        ([1, -2], "costs: -2 is out of range"),
        (None, "costs: None is not a list of whole numbers"),
    ],
)
def test_costs_that_are_none_are_refused(costs: Any, words: str) -> None:
    with pytest.raises(cs.UsageError, match=words):
        search_all(lambda _: costs, 1, 2)


def test_what_goes_wrong_in_a_cost_is_ones_own() -> None:
    with pytest.raises(ZeroDivisionError):
        search_local(lambda placements: [1 // 0 for _ in placements], 2, 3)


@pytest.mark.parametrize(
    ("threads", "cores", "how", "words"),
    [
        (0, 3, {}, "threads 0 is out of range; give 1 to 1024"),
        (4, 3, {}, "4 threads do not fit on 3 cores"),
        (2, 2000, {}, "cores 2000 is out of range; give 1 to 1024"),
        (2, 3, {"batch": 0}, "batch 0 is out of range"),
        (2, 3, {"starts": 0}, "starts 0 is out of range"),
        (2, 3, {"evaluations": 0}, "evaluations 0 is out of range"),
        (2, 3, {"first": [(1, 1)]}, "give 2 different cores from 0 to 2"),
        (2, 3, {"first": 1}, "first: 1 is not a list of rows"),
    ],
)
def test_searches_that_cannot_be(threads: int, cores: int, how: dict[str, Any], words: str) -> None:
    with pytest.raises(cs.UsageError, match=words):
        search_local(lambda placements: [0] * len(placements), threads, cores, **how)
