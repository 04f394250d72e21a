"""Rows of a sweep, measured by an executor."""

import itertools
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any, TypeVar

from cellstats._native import RunError, UsageError
from cellstats.machine import AnyMachine
from cellstats.measure.build import Build, check_same_build, this_build
from cellstats.measure.dispatch import Dispatch, Measured
from cellstats.measure.fleet import Fleet
from cellstats.measure.one_at_a_time import alone_on_this_computer
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


def measure_rows(
    rows: Sequence[Row],
    alone: bool,
    asking: Build | None,
    _nth: int,
    stop: threading.Event | None = None,
) -> Measured:
    """A batch, where a worker runs it; up to the first row that fails.

    alone: nothing else is measured on this computer meanwhile.
    asking: the build that wants it; UsageError where another one is installed. None is this one.
    _nth: makes two equal batches different calls, for engines that know what they have computed.
    """
    if asking is not None:
        check_same_build(asking)
    results: list[AnyResult] = []
    start = time.monotonic()
    with alone_on_this_computer() if alone else nullcontext():
        for row in rows:
            # Events cannot be pickled, so only threads of this process get one.
            stopping = () if stop is None else (stop,)
            try:
                results.append(measure(row.machine, row.function, dict(row.parameters), *stopping))
            except (RunError, UsageError) as error:
                return Measured(results, error, time.monotonic() - start)
    return Measured(results, None, time.monotonic() - start)


def run_rows(
    rows: Mapping[Key, Row],
    finished: Callable[[Key, Any], object],
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
) -> None:
    """Measure rows, and call `finished(key, result)` in this thread for each as it comes.

    executor: by default threads, `jobs` of them or one for each processor. Rows go to any other
        executor in batches of about a second, and again where a worker died; its workers have to
        run the same build, which each batch looks at first (UsageError).

    Rows of the host are measured one at a time on each computer, whatever runs them, and no other
    row beside them.

    If a row fails, or Ctrl-C is pressed, the rows under way are given up, `finished` is called for
    those that are finished, and the exception is raised again. A row of which three workers die is
    such a failure (RunError).
    """
    alone = any(row.machine.name == "host" for row in rows.values())
    asking = None if executor is None else this_build()
    numbers = itertools.count()

    def work(batch: Sequence[Row]) -> tuple[Any, ...]:
        return (measure_rows, batch, alone, asking, next(numbers), *stopping)

    stopping: tuple[threading.Event, ...] = ()
    if executor is not None:
        fleet = Fleet(executor)
        try:
            Dispatch(rows, finished, fleet, work, local=False).run()
        finally:
            fleet.close()
        return
    stop = threading.Event()
    stopping = (stop,)
    # On the host a second measurement would disturb the first.
    count = 1 if alone else jobs or usable_cpus()
    # Simulations release the interpreter's lock, so threads keep all processors busy.
    with ThreadPoolExecutor(count, thread_name_prefix="cellstats") as threads:
        try:
            Dispatch(rows, finished, Fleet(threads), work, local=True).run()
        except BaseException:
            stop.set()
            raise
