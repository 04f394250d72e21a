"""Measurement of rows in executors: dying workers, workers of another build, and batches."""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import cellstats as cs
from cellstats.measure import workers
from cellstats.measure.dispatch import Called, WorkersError
from cellstats.measure.journal import Build, Journal, this_build
from cellstats.measure.sweeps import Row, rows_of
from cellstats.measure.workers import alone_on_this_computer, call_all, run_rows

needs_kill = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
SIZES = [128, 256, 512, 1024, 2048, 4096]


def poisoned(size: int, times: int, told: str) -> None:
    """Make rows of this size kill their worker `times` times, each time adding a line to `told`."""
    measure = workers.measure

    def deadly(*asked: Any) -> Any:
        with Path(told).open("a+", encoding="utf-8") as file:
            file.seek(0)
            if asked[1][0][1]["size"] == size and len(file.readlines()) < times:
                file.write("dead\n")
                file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
        return measure(*asked)

    workers.measure = deadly  # type: ignore[assignment]


def processes(tmp_path: Path, size: int, times: int, count: int = 2) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        count,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=poisoned,
        initargs=(size, times, str(tmp_path / "told")),
    )


def sizes(count: int = len(SIZES)) -> dict[int, Row]:
    return dict(enumerate(rows_of("dmaget", "ps3", {"size": SIZES[:count], "iterations": 100})))


@needs_kill
def test_a_row_whose_worker_was_killed_twice_is_measured_again(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"size": SIZES, "iterations": 100}
    with processes(tmp_path, 512, 2) as executor:
        results = cs.sweep("dmaget", executor=executor, **asked)
    assert [each.to_json() for each in results] == [
        each.to_json() for each in cs.sweep("dmaget", **asked)
    ]
    assert (tmp_path / "told").read_text().count("dead") == 2


@needs_kill
def test_a_row_that_kills_three_workers_is_refused_by_its_name_and_the_others_are_kept(
    tmp_path: Path,
) -> None:
    rows = sizes()
    journal = Journal(tmp_path / "journal", rows)
    with processes(tmp_path, 512, 99, count=1) as executor, pytest.raises(WorkersError) as error:
        run_rows(rows, journal.add, executor=executor)
    assert (tmp_path / "told").read_text().count("dead") == 3
    assert "dmaget on ps3, size=512, iterations=100: 3 workers died of it" in str(error.value)
    assert "\n" not in str(error.value)
    journal.close()
    again = Journal(tmp_path / "journal", rows)
    assert set(again.results) >= {0, 1}
    assert 2 not in again.results
    again.close()


def arguments(row: Row) -> tuple[Any, ...]:
    return row.machine, [(row.function, dict(row.parameters))]


class DeadAtOnce(Executor):
    """An executor that reports a dead worker for every call, and starts no new workers."""

    def submit(self, _fn: Callable[..., Any], /, *_args: Any, **_kwargs: Any) -> Future[Any]:
        from concurrent.futures import BrokenExecutor

        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("gone"))
        return future


def test_an_executor_that_cannot_be_renewed_ends_in_one_line() -> None:
    with pytest.raises(cs.RunError, match="starts no new ones"):
        cs.sweep("dmaget", executor=DeadAtOnce(), iterations=10)


class KilledWorker(Exception):  # noqa: N818
    """An exception with the same name as Dask's."""


class GivesUp(Executor):
    """An executor that, like Dask, retries and then fails calls with a row of this size."""

    def __init__(self, size: int, times: int) -> None:
        self._size, self._times = size, times
        self.calls: list[list[int]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        asked = [parameters["size"] for _, [(_, parameters)] in args[1]]
        self.calls.append(asked)
        if self._size in asked and self._times:
            self._times -= 1
            future.set_exception(KilledWorker("it died, and died"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_what_an_engine_gave_up_runs_once_more_alone() -> None:
    asked: dict[str, Any] = {"size": SIZES, "iterations": 100}
    engine = GivesUp(512, 1)
    assert cs.sweep("dmaget", executor=engine, **asked) == cs.sweep("dmaget", **asked)
    assert engine.calls[-1] == [512]
    with pytest.raises(cs.RunError, match=r"size=512.*3 workers died of it"):
        cs.sweep("dmaget", executor=GivesUp(512, 2), **asked)


# Batches.


class Counted(Executor):
    """An executor that runs calls immediately, records their rows, and reports `row_s` per row."""

    def __init__(self, row_s: float) -> None:
        self._row_s = row_s
        self._max_workers = 2
        self.rows: list[int] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        called: Called = fn(*args, **kwargs)
        self.rows.append(len(called.answers))
        future: Future[Any] = Future()
        future.set_result(Called(called.answers, None, self._row_s * len(called.answers)))
        return future


@pytest.mark.parametrize(("row_s", "most"), [(0.1, 10), (5.0, 1), (0.0, 63)])
def test_batches_take_about_a_second_and_are_shared_out_at_the_end(row_s: float, most: int) -> None:
    executor = Counted(row_s)
    cs.sweep("dmaget", executor=executor, size="128..16k:64", iterations=1)
    assert executor.rows[:4] == [1, 1, 1, 1]
    assert max(executor.rows) == most
    assert executor.rows[-1] == 1
    assert sum(executor.rows) == len(cs.sweep("dmaget", size="128..16k:64", iterations=1))


def test_a_failing_row_does_not_take_the_finished_ones_of_its_batch_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measure, error = workers.measure, cs.RunError("a deadlock")

    def fails(*asked: Any) -> Any:
        if asked[1][0][1]["size"] == 1024:
            raise error
        return measure(*asked)

    monkeypatch.setattr(workers, "measure", fails)
    called = call_all(workers.measure, list(map(arguments, sizes().values())))
    assert (len(called.answers), called.error) == (3, error)
    finished: dict[int, cs.Result] = {}
    with ThreadPoolExecutor(1) as one, pytest.raises(cs.RunError, match="a deadlock"):
        run_rows(sizes(), finished.__setitem__, executor=one)
    assert set(finished) >= {0, 1, 2}


def test_what_else_goes_wrong_on_a_worker_is_one_line() -> None:
    class Broken(Executor):
        def submit(self, _fn: Callable[..., Any], /, *_a: Any, **_k: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(ModuleNotFoundError("No module named 'cellstats'\nand more"))
            return future

    with pytest.raises(WorkersError) as error:
        cs.sweep("dmaget", executor=Broken(), iterations=10)
    assert str(error.value) == (
        "a worker failed with ModuleNotFoundError: No module named 'cellstats'"
    )


def test_rows_batches_and_errors_can_be_sent() -> None:
    row = sizes()[0]
    assert pickle.loads(pickle.dumps(row)).recipe() == row.recipe()
    assert pickle.loads(pickle.dumps(call_all)) is call_all
    again = pickle.loads(pickle.dumps(call_all(workers.measure, [arguments(row)], this_build())))
    assert again.answers[0] == [cs.sweep("dmaget", size=128, iterations=100)[0]]


# Builds.


@pytest.mark.parametrize("field", ["version", "simulator"])
def test_another_build_on_a_worker_is_refused_in_one_line(field: str) -> None:
    other: Build = this_build()._replace(**{field: "0" * 20})
    with pytest.raises(cs.UsageError) as error:
        call_all(workers.measure, [arguments(sizes()[0])], other)
    assert str(this_build()) in str(error.value)
    assert str(other) in str(error.value)
    assert "\n" not in str(error.value)


# One at a time.


def test_on_one_computer_one_is_alone() -> None:
    inside, most = [0], [0]

    def enter() -> None:
        with alone_on_this_computer():
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0.02)
            inside[0] -= 1

    threads = [threading.Thread(target=enter) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (inside[0], most[0]) == (0, 1)


def test_rows_of_the_host_keep_all_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []

    class Host:
        name = "host"

    def asked(_function: Any, calls: Sequence[Any], _asking: Any, alone: bool, _: int) -> Called:
        seen.append(alone)
        return Called([[None]] * len(calls), None, 0.1)

    monkeypatch.setattr(workers, "call_all", asked)
    rows = {0: Row(Host(), "mailbox", {}), 1: sizes()[1]}  # type: ignore[arg-type]
    with ThreadPoolExecutor(2) as two:
        run_rows(rows, lambda *_: None, executor=two)
    assert seen == [True, True]
