"""Rows of a sweep, measured by an executor."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from typing import Any, TypeVar

from cellstats.machine import AnyMachine
from cellstats.measure.processors import usable_cpus
from cellstats.measure.row import Row
from cellstats.result import AnyResult

Key = TypeVar("Key")


def measure(
    machine: AnyMachine,
    function: str,
    parameters: Mapping[str, Any],
    stop: threading.Event | None = None,
) -> AnyResult:
    """`measure` of a machine as a function of a module, so that other processes can be sent it.

    stop: once this event is set, the run ends with KeyboardInterrupt; signals reach the main thread
        only, and this is how the others hear of them.
    """
    return machine.run(function, parameters, stop)


def run_rows(
    rows: Mapping[Key, Row],
    finished: Callable[[Key, Any], object],
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
) -> None:
    """Measure rows, and call `finished(key, result)` in this thread for each as it comes.

    executor: by default threads, `jobs` of them or one for each processor.

    If a row fails, or Ctrl-C is pressed, the rows under way are given up, `finished` is called for
    those that are finished, and the exception is raised again.
    """
    if executor is not None:
        _run(rows, finished, executor, None)
        return
    stop = threading.Event()
    if any(row.machine.name == "host" for row in rows.values()):
        # On the host a second measurement would disturb the first.
        jobs = 1
    # Simulations release the interpreter's lock, so threads keep all processors busy.
    with ThreadPoolExecutor(jobs or usable_cpus(), thread_name_prefix="cellstats") as threads:
        try:
            _run(rows, finished, threads, stop)
        except BaseException:
            stop.set()
            raise


def _run(
    rows: Mapping[Key, Row],
    finished: Callable[[Key, Any], object],
    executor: Executor,
    stop: threading.Event | None,
) -> None:
    # Events cannot be pickled, so only threads of this process get one.
    stopping = () if stop is None else (stop,)
    waiting: dict[Future[AnyResult], Key] = {}
    try:
        for key, row in rows.items():
            asked = (row.machine, row.function, dict(row.parameters), *stopping)
            waiting[executor.submit(measure, *asked)] = key
        for future in as_completed(list(waiting)):
            result = future.result()
            finished(waiting.pop(future), result)
    except BaseException:
        for future in waiting:
            future.cancel()
        for future, key in waiting.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                finished(key, future.result())
        raise
