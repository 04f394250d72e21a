"""The Monte Carlo application: no exchange between threads loses or duplicates a walker."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats import montecarlo
from cellstats.montecarlo import Outcome, plain, walkers
from cellstats.montecarlo import worker as program
from cellstats.montecarlo.walkers import WALKER_BYTES, Tallies
from cellstats.montecarlo.worker import Report, Task, Worker, thread_program
from cellstats.papers.sudheer2009 import NAMED, placement_of
from cellstats.reproduce import experiments, programmed
from cellstats.reproduce.runs import Store, measured_rows

AFFINITIES = {name: placement_of(name) for name in NAMED}
BLADE, BOARD = cs.machine("qs20"), cs.machine("eval-board")
SPREAD_OUT = (3, 0, 6, 5, 1, 7, 2, 4)
BOTH_CHIPS = (0, 9, 3, 12, 15, 7, 1, 8, 2, 14)


def after(count: int, steps: int, seed: int = 0) -> list[bytes]:
    """The walkers that remain after a run without exchange, each with its complete state."""
    left = walkers.source(0, count, count, seed, Tallies())
    for _ in range(steps):
        left = walkers.move(left, Tallies())
    return cut(left)


def cut(data: bytes) -> list[bytes]:
    return sorted(data[at : at + WALKER_BYTES] for at in range(0, len(data), WALKER_BYTES))


def left_in(result: cs.RunResult, reports: Sequence[Report]) -> list[bytes]:
    """The walkers in all local stores at the end of the run."""
    first = program.WALKERS_LSA
    held = [report.loads[-1] * WALKER_BYTES for report in reports]
    return cut(b"".join(result.local_stores[i][first : first + n] for i, n in enumerate(held)))


def run(task: Task, machine: cs.Machine = BLADE) -> tuple[cs.RunResult, list[Report]]:
    reports = [Report() for _ in task.placement]
    threads = {nth: thread_program(task, nth, report) for nth, report in enumerate(reports)}
    done = cs.run(machine, threads, ppe=montecarlo.start, placement=task.placement)
    return done, reports


# The results do not depend on the number of threads or on the placement.


@pytest.mark.parametrize("exchange", program.EXCHANGES)
@pytest.mark.parametrize(
    "placement", [(5,), (1, 6), (2, 0, 7), tuple(range(8)), SPREAD_OUT, BOTH_CHIPS]
)
def test_tallies_are_those_of_one_thread(placement: Sequence[int], exchange: str) -> None:
    outcome = montecarlo.run(BLADE, placement, walkers=1000, steps=5, seed=7, exchange=exchange)
    assert outcome.tallies == plain(1000, 5, seed=7)


@pytest.mark.parametrize("name", AFFINITIES)
def test_so_they_are_under_every_affinity_of_the_paper(name: str) -> None:
    outcome = montecarlo.run(BLADE, AFFINITIES[name], walkers=2400, steps=3)
    assert outcome.tallies == plain(2400, 3)


def test_threads_without_walkers_take_part() -> None:
    assert montecarlo.run(BOARD, walkers=3, steps=4).tallies == plain(3, 4)


def test_other_seeds_are_other_histories() -> None:
    one, other = plain(200, 4, seed=1), plain(200, 4, seed=2)
    assert one.flux != other.flux


def test_no_walker_is_lost_or_doubled_on_its_way() -> None:
    done, reports = run(Task(SPREAD_OUT, 1600, 6, 3, "shares"))
    assert left_in(done, reports) == after(1600, 6, 3)


def test_twice_the_same_is_the_same_to_the_byte() -> None:
    task = Task(SPREAD_OUT, 800, 4, 0, "shares")
    one, other = run(task)[0], run(task)[0]
    assert one.record_json == other.record_json
    assert one.local_stores == other.local_stores


# Handshakes.


@pytest.mark.parametrize("threads", [2, 3, 8])
@pytest.mark.parametrize("exchange", program.EXCHANGES)
def test_it_does_not_matter_how_late_a_thread_is(
    exchange: str,
    threads: int,
    chance: random.Random,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Random delays before every step make a missing handshake visible as overwritten data."""
    for name in ("_move", "_barrier", "_loads", "_shift", "_await_signal"):
        monkeypatch.setattr(Worker, name, late(getattr(Worker, name), chance))
    for seed in range(4):
        done, reports = run(Task(SPREAD_OUT[:threads], 160 * threads, 4, seed, exchange), BOARD)
        assert left_in(done, reports) == after(160 * threads, 4, seed)


def late(step: Any, delays: random.Random) -> Any:
    async def dawdling(self: Any, *given: Any) -> Any:
        if delays.random() < 0.3:
            await self._spu.compute(delays.randrange(30_000))
        return await step(self, *given)

    return dawdling


def test_every_byte_that_is_put_is_accounted_for() -> None:
    steps, placement = 5, SPREAD_OUT
    done, reports = run(Task(placement, 1600, steps, 0, "shares"))
    put = sum(spe["put_bytes"] for spe in done.record["counters"]["spes"])
    loads = signals = 2 * len(placement) * steps  # one to each neighbour
    barriers = 3 * len(placement) * (steps + 2)  # three rounds of eight threads
    sent = sum(report.sent for report in reports)
    assert sent == sum(report.received for report in reports)
    assert put == sent * WALKER_BYTES + 4 * (loads + signals + barriers)


@pytest.mark.parametrize("exchange", program.EXCHANGES)
def test_diffusion_makes_each_load_the_mean_of_three(
    exchange: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def uneven(first: int, _: int, *rest: Any) -> bytes:
        return walkers.source(0, first * 7 % 500, *rest)

    monkeypatch.setattr(program, "source", uneven)
    _, reports = run(Task(SPREAD_OUT, 1600, 1, 0, exchange))
    was, now = zip(*(report.loads for report in reports), strict=True)
    assert max(was) - min(was) > 300
    mean = [(was[i - 1] + was[i] + was[(i + 1) % 8]) / 3 for i in range(8)]
    # Each of the two thirds that a thread sends or receives is rounded down.
    assert all(abs(a - b) < 2 for a, b in zip(now, mean, strict=True))


# The physics of walkers.


def test_no_weight_comes_from_nowhere_or_goes_there() -> None:
    tallies = plain(1500, 20)
    assert tallies.weight_in == tallies.weight_out
    assert min(tallies.splits, tallies.roulette_lost, tallies.roulette_won) > 0


def test_the_error_of_the_flux_is_known() -> None:
    """Two runs with different seeds agree within five standard deviations."""
    one, other = plain(3000, 6, seed=1), plain(3000, 6, seed=2)
    for zone in range(walkers.ZONES):
        variance = one.flux_squared[zone] + other.flux_squared[zone]
        assert abs(one.flux[zone] - other.flux[zone]) < 5 * variance**0.5


def test_flights_are_of_one_mean_free_path() -> None:
    mean = sum(walkers.PATHS) / len(walkers.PATHS)
    assert mean == pytest.approx(1 << walkers.PATH_SHIFT, rel=0.01)


def test_the_slab_is_the_same_seen_from_both_sides() -> None:
    tallies = plain(6000, 6)
    assert tallies.leaked_left == pytest.approx(tallies.leaked_right, rel=0.15)


# The effect of affinity.


@pytest.fixture(name="outcomes", scope="module")
def _outcomes() -> dict[str, Outcome]:
    return {name: montecarlo.run(BLADE, spes) for name, spes in AFFINITIES.items()}


def test_affinity_matters(outcomes: dict[str, Outcome]) -> None:
    # The claims in papers/sudheer2009 compare these factors with the published factors.
    communication = {name: outcome.communication_ns for name, outcome in outcomes.items()}
    assert max(communication, key=communication.__getitem__) == "overlap"
    assert max(communication.values()) > 1.4 * min(communication.values())
    assert max(each.total_ns for each in outcomes.values()) > 1.05 * min(
        each.total_ns for each in outcomes.values()
    )


def test_what_is_computed_and_moved_is_the_same(outcomes: dict[str, Outcome]) -> None:
    assert len({(each.moved_bytes, each.loads) for each in outcomes.values()}) == 1


def test_affinity_does_not_matter_where_little_is_moved() -> None:
    total = [
        montecarlo.run(BLADE, spes, exchange="differences").total_ns for spes in AFFINITIES.values()
    ]
    assert max(total) / min(total) < 1.01


def test_a_row_of_a_figure_is_run_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [experiment] = programmed("ps3", "montecarlo", walkers=96, steps=2, affinity="any")
    with Store(tmp_path / "results.sqlite") as store:
        first = measured_rows([experiment], store, progress=False)[experiment]
        monkeypatch.setattr(experiments, "PROGRAMS", {})
        again = measured_rows([experiment], store, progress=False)[experiment]
    assert first.columns == again.columns
    assert first["total_ns"] > first["communication_ns"] > 0


# Mistakes.


def test_a_figure_that_asks_for_no_program_is_told_which_there_are() -> None:
    with pytest.raises(cs.UsageError, match="did you mean montecarlo"):
        programmed("ps3", "montecarl")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"exchange": "share"}, "did you mean shares"),
        ({"exchange": None}, "known are shares, differences"),
        ({"walkers": 0}, "walkers 0 is too small"),
        ({"walkers": "many"}, "'many' is not a whole number"),
        ({"walkers": "1m"}, "walkers 1000000 are too many for 8 SPEs"),
        ({"walkers": 13_000}, "give fewer walkers"),
        ({"steps": -1}, "steps -1 is too small"),
        ({"steps": "1m"}, "steps 1000000 are too many"),
        ({"seed": -1}, "seed -1 is too small"),
        ({"spes": 9}, "spes 9 are too many; eval-board has 8"),
        ({"spes": 3, "placement": "0,1"}, "the placement names 2"),
        ({"spes": 0}, "spes 0 is too small"),
        ({"placement": "0,x"}, "is not a list of SPEs"),
        ({"placement": []}, "placement"),
        ({"placement": [0, 0]}, "placement"),
        ({"placement": [0, 8]}, "8"),
        ({"placement": [0, "x"]}, "placement"),
        ({"placement": 3}, "placement 3 is not a list of SPEs"),
        ({"placement": "random"}, "write 0,2,4 or 0,8-15"),
    ],
)
def test_mistakes_are_answered_in_one_line(given: dict[str, Any], words: str) -> None:
    with pytest.raises(cs.UsageError) as caught:
        montecarlo.run(BOARD, **given)
    line = str(caught.value)
    assert words in line
    assert line.splitlines() == [line]


def test_an_unknown_machine_is_answered_in_one_line() -> None:
    with pytest.raises(cs.UsageError, match="did you mean qs20"):
        montecarlo.run("qs2")


def test_any_seed_will_do() -> None:
    assert montecarlo.run("ps3", walkers=60, steps=2, seed=10**40).tallies == plain(60, 2, 10**40)
