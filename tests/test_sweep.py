"""`cs.sweep`: order, executors, refusals, and objects sent to other processes."""

import multiprocessing
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats.measure import workers
from cellstats.measure.sweeps import varying_columns
from cellstats.measure.workers import measure
from cellstats.show.tables import text_table
from command_line import ROOT

FIRST_ROW: dict[str, Any] = {"spes": 1, "size": 128, "iterations": 100}


class Backwards(Executor):
    """An executor that waits until all calls are submitted, and runs the last call first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, lambda: fn(*args, **kwargs)))
        if len(self._waiting) == 8:
            for late, call in reversed(self._waiting):
                late.set_result(call())
        return future


def executors() -> dict[str, Callable[[], Executor | None]]:
    spawn = multiprocessing.get_context("spawn")
    return {
        "default": lambda: None,
        "threads": lambda: ThreadPoolExecutor(3),
        "processes": lambda: ProcessPoolExecutor(2, mp_context=spawn),
        "backwards": Backwards,
    }


@pytest.mark.parametrize("kind", list(executors()))
def test_the_order_is_that_of_nested_loops_whoever_runs_them(kind: str) -> None:
    # The first row takes the longest time, so it does not finish first.
    executor = executors()[kind]()
    results = cs.sweep(
        ["dmaget", "dmaput"],
        executor=executor,
        spes=[6, 1],
        size=["16k", "128"],
        iterations="1k",
    )
    if executor is not None:
        executor.shutdown()
    assert [(r.function, r.spes, r.size_bytes) for r in results] == [
        (function, spes, size)
        for function in ("dmaget", "dmaput")
        for spes in (6, 1)
        for size in (16384, 128)
    ]
    ps3 = cs.machine("ps3")
    assert results[1] == ps3.measure("dmaget", spes=6, size=128, iterations=1000)


def test_keywords_are_nested_as_given_and_machines_are_outermost() -> None:
    results = cs.sweep(
        "dmaget", size="128,256", spes=[1, 2], machine=["eval-board", "ps3"], iterations=10
    )
    assert [(r.machine, r.size_bytes, r.spes) for r in results] == [
        (machine, size, spes)
        for machine in ("eval-board", "ps3")
        for size in (128, 256)
        for spes in (1, 2)
    ]


def test_single_values_are_one_row() -> None:
    (result,) = cs.sweep("dmaget", **FIRST_ROW)
    assert result == cs.machine("ps3").measure("dmaget", **FIRST_ROW)


def test_numpy_numbers_are_numbers() -> None:
    import numpy as np

    results = cs.sweep("dmaget", spes=np.arange(1, 3), size=2 ** np.arange(7, 10), iterations=10)
    assert [(r.spes, r.size_bytes) for r in results] == [
        (spes, size) for spes in (1, 2) for size in (128, 256, 512)
    ]
    odds: list[Any] = [np.linspace(1, 2, 2), [np.True_], [True]]
    for odd in odds:
        with pytest.raises(cs.UsageError, match="is not a whole number"):
            cs.sweep("dmaget", spes=odd)


def test_axes_of_every_kind() -> None:
    numbers = cs.sweep("dmaget", spes=range(1, 4), size=(n for n in (128, "1k")), iterations=10)
    assert len(numbers) == 6
    switches = cs.sweep("dmaget", spes=2, private=[False, True], iterations=10)
    assert [result.private for result in switches] == [False, True]
    words = cs.sweep("mailbox", ppe="library,mmio", iterations=10)
    assert [result.ppe for result in words] == ["library", "mmio"]
    one = cs.sweep("dmaget", spes=2, placement=[3, 5], iterations=10)
    assert [result.placement for result in one] == [(3, 5)]
    several = cs.sweep("dmaget", spes=2, placement=[[3, 5], (0, 1), "random"], iterations=10)
    assert [result.placement for result in several][:2] == [(3, 5), (0, 1)]
    seeds = cs.sweep("dmaget", spes=2, placement="random", seed="0..3", iterations=10)
    assert len(seeds) == 4


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"spes": [1, 7]}, "spes 7"),
        ({"spes": []}, "spes has no values"),
        ({"spes": "1.."}, "spes '1..' is not a range"),
        ({"size": [128, "x"]}, "size 'x' is not a whole number"),
        ({"size": [128, 1.5]}, "size 1.5 is not a whole number"),
        ({"sizes": [128]}, "did you mean size?"),
        ({"placement": []}, "place"),
        ({"placement": ["near"]}, "random"),
        ({"machine": ["ps3", "ps4"]}, "did you mean ps3?"),
        ({"machine": []}, "machine has no values"),
        ({"seed": "0..9"}, "give placement random"),
        ({"size": "16..16k:16", "iterations": "1..1000:1"}, "1000000 rows are the limit"),
    ],
)
def test_what_is_refused_before_anything_runs(
    parameters: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "run_rows", lambda *_, **__: pytest.fail("it ran"))
    with pytest.raises(cs.UsageError) as error:
        cs.sweep("dmaget", **parameters)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_check_is_what_measure_would_say() -> None:
    ps3 = cs.machine("ps3")
    ps3.check("dmaget", spes=6, size="16k")
    for parameters in ({"size": 24}, {"spes": 7}, {"spes": 2, "placement": [0, 9]}, {"seed": 1}):
        said = []
        for ask in (ps3.check, ps3.measure):
            with pytest.raises(cs.UsageError) as error:
                ask("dmaget", **parameters)
            said.append(str(error.value))
        assert said[0] == said[1]


def test_machines_can_be_sent_to_other_processes(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes((ROOT / "machines/examples/sixteen-spes.toml").read_bytes())
    for name in ("ps3", "eval-board", path):
        machine = cs.machine(name)
        path.unlink(missing_ok=True)  # the process that unpickles the machine may not have the file
        again = pickle.loads(pickle.dumps(machine))
        assert (again.name, again.hash) == (machine.name, machine.hash)
        path.write_bytes((ROOT / "machines/examples/sixteen-spes.toml").read_bytes())


def test_results_errors_and_the_function_itself_can_be_pickled() -> None:
    result = cs.machine("ps3").measure("dmaget", **FIRST_ROW)
    assert pickle.loads(pickle.dumps(result)) == result
    assert pickle.loads(pickle.dumps(measure)) is measure
    for kind in (cs.UsageError, cs.RunError):
        again = pickle.loads(pickle.dumps(kind("what")))
        assert (type(again), str(again)) == (kind, "what")


def test_columns_that_follow_from_others_do_not_vary() -> None:
    results = cs.sweep("dmaget", spes="1..3", private=True, size="128..512", iterations=10)
    assert len({result.placement for result in results}) == 3
    assert len({result.stride_bytes for result in results}) == 3
    assert varying_columns(results) == ["spes", "size_bytes"]
    placements = cs.sweep("dmaget", spes=2, placement=[[0, 1], [0, 5]], iterations=10)
    assert varying_columns(placements) == ["placement"]


def test_the_table_has_a_row_for_each_result() -> None:
    results = cs.sweep("dmaget", spes="1..3", iterations=10)
    header, *rows = text_table(results).splitlines()
    assert header.split()[:3] == ["function", "spes", "latency_ns"]
    assert [row.split()[1] for row in rows] == ["1", "2", "3"]
    assert len({len(row) for row in (header, *rows)}) == 1


class AtOnce(Executor):
    """An executor that runs each row when it is submitted. Every second row fails."""

    def __init__(self) -> None:
        self.submitted = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.submitted += 1
        if self.submitted % 2:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(cs.RunError("a deadlock"))
        return future


def test_rows_that_came_before_a_failure_was_seen_are_not_lost() -> None:
    from cellstats.measure.sweeps import rows_of
    from cellstats.measure.workers import run_rows

    finished: dict[int, cs.Result] = {}
    rows = rows_of("dmaget", "ps3", {"iterations": range(1, 21)})
    with pytest.raises(cs.RunError, match="a deadlock"):
        run_rows(dict(enumerate(rows)), finished.__setitem__, executor=AtOnce())
    assert sorted(finished) == list(range(0, 20, 2))


def test_rows_that_are_known_to_give_the_same_run_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []

    def counted(machine: cs.Machine, asked: Sequence[Any], stop: Any = None) -> Any:
        runs.append(len(asked))
        return measure(machine, asked, stop)

    monkeypatch.setattr(workers, "measure", counted)
    given: dict[str, Any] = {"spes": 2, "iterations": 20}
    results = cs.sweep("couples", size=[512, 1024], list_elements=[16, 32], jobs=1, **given)
    assert runs == [1, 2, 1]
    for each in results:
        own = {"size": each.size_bytes, "list_elements": each.list_elements}
        assert each == cs.machine("ps3").measure("couples", **given, **own)
