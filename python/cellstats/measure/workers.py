"""The processors that measurements may run on.

A lock of the whole computer: what measures it must not be disturbed by another measurement.

Workers of one computer share nothing but its files, so the lock is one of them.

Many calls of one function, made by threads or by any executor.

Rows of a sweep, measured by an executor.
"""

import itertools
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from cellstats._native import RunError, UsageError
from cellstats.core.quantities import parse_count
from cellstats.core.refusal import quoted, refusal
from cellstats.core.words import few_threads
from cellstats.measure.dispatch import Called, Dispatch, Fleet
from cellstats.measure.journal import Build, check_same_build, this_build
from cellstats.measure.machine import Measuring
from cellstats.measure.result import Measured
from cellstats.measure.sweeps import Row


def usable_cpus() -> int:
    """How many processors this process may use."""
    return len(usable_cpu_numbers())


def usable_cpu_numbers() -> list[int]:
    """The processors that this process may use, by the system's numbers."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


@contextmanager
def alone_on_this_computer() -> Iterator[None]:
    """Wait until no other process or thread is in here, on this computer, then keep them out.

    Where the system has no such locks, everybody is let in.
    """
    descriptor = _open(Path(tempfile.gettempdir()) / "cellstats-host.lock")
    if descriptor is None:
        yield
        return
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)  # gives the lock back


def _open(path: Path) -> int | None:
    try:
        import fcntl  # noqa: F401
    except ImportError:
        return None
    # Opened without O_CREAT first: some systems refuse that for another user's file in /tmp.
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CREAT):
        try:
            return os.open(path, flags | os.O_CLOEXEC, 0o644)
        except OSError:
            continue
    return None


Key = TypeVar("Key")


def check_workers(executor: Executor | None, jobs: int | None) -> None:
    """Raise UsageError for what cannot make calls, or where both say who does."""
    if jobs is not None:
        parse_count(jobs, "{jobs}")
    if executor is None:
        return
    if not hasattr(executor, "submit"):
        raise refusal(f"{{executor}} {quoted(executor)} is no concurrent.futures.Executor")
    if jobs is not None:
        raise refusal("{executor} and {jobs} exclude each other; the executor has its own number")


def run_calls(
    function: Callable[..., Any],
    calls: Mapping[Key, tuple[Any, ...]],
    finished: Callable[[Key, Any], object],
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    alone: bool = False,
    named: Callable[[Key], str] = str,
) -> None:
    """Call a function with each of these arguments; `finished(key, answer)` as each one comes.

    function: takes an event as its last argument, too: once it is set, it ends with
        KeyboardInterrupt. Signals reach the main thread only, and this is how others hear of them.
        An executor may have to find it in its module.
    executor: who makes the calls; by default threads, `jobs` of them or one for each processor.
        Calls go to it in batches of about a second, and again where a worker died; its workers
        have to run the same build, which each batch looks at first (UsageError).
    alone: on no computer more than one call at a time.
    named: what a call is called when it is refused.

    If a call fails, or Ctrl-C is pressed, the calls under way are given up, `finished` is called
    for those that are finished, and the exception is raised again. A call of which three workers
    die is such a failure (RunError).
    """
    check_workers(executor, jobs)
    numbers = itertools.count()
    if executor is not None:
        asking = this_build()

        def there(batch: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
            return call_all, function, batch, asking, alone, next(numbers)

        fleet = Fleet(executor)
        try:
            Dispatch(calls, finished, fleet, there, named, local=False).run()
        finally:
            fleet.close()
        return
    # Events cannot be pickled, so only threads of this process get one.
    stop = threading.Event()

    def here(batch: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
        return call_all, function, [(*arguments, stop) for arguments in batch]

    # Simulations release the interpreter's lock, so threads keep all processors busy.
    count = 1 if alone else jobs or usable_cpus()
    with few_threads(), ThreadPoolExecutor(count, thread_name_prefix="cellstats") as threads:
        try:
            Dispatch(calls, finished, Fleet(threads), here, named, local=True).run()
        except BaseException:
            stop.set()
            raise


def call_all(
    function: Callable[..., Any],
    calls: Sequence[tuple[Any, ...]],
    asking: Build | None = None,
    alone: bool = False,
    _nth: int = 0,
) -> Called:
    """A batch, where a worker runs it; up to the first call that fails.

    asking: the build that wants it; UsageError where another one is installed. None is this one.
    alone: nothing else is called so on this computer meanwhile.
    _nth: makes two equal batches different, for engines that know what they have computed.
    """
    if asking is not None:
        check_same_build(asking)
    answers: list[Any] = []
    start = time.monotonic()
    with alone_on_this_computer() if alone else nullcontext():
        for arguments in calls:
            try:
                answers.append(function(*arguments))
            except (RunError, UsageError) as error:
                return Called(answers, error, time.monotonic() - start)
    return Called(answers, None, time.monotonic() - start)


def measure(
    machine: Measuring,
    function: str,
    parameters: Mapping[str, Any],
    stop: threading.Event | None = None,
) -> Measured:
    """`measure` of a machine as a function of a module, so that other processes can be sent it.

    stop: once this event is set, the run ends with KeyboardInterrupt.
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

    executor, jobs: who measures, as for `run_calls`. Rows of the host are measured one at a time on
        each computer, whatever runs them, and no other row beside them.

    If a row fails, or Ctrl-C is pressed, the rows under way are given up, `finished` is called for
    those that are finished, and the exception is raised again.
    """
    run_calls(
        measure,
        {key: (row.machine, row.function, dict(row.parameters)) for key, row in rows.items()},
        finished,
        executor=executor,
        jobs=jobs,
        alone=any(row.machine.name == "host" for row in rows.values()),
        named=lambda key: str(rows[key]),
    )
