"""Runs measurements on threads of this process, or on any executor.

`run_calls` makes many calls of one function, and `run_rows` measures the rows of a sweep. A lock
that is shared by all processes of a computer keeps host measurements from disturbing each other.
The lock is a file, because workers on one computer share nothing else.
"""

import itertools
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from cellstats._native import RunError, UsageError
from cellstats.core.processors import usable_cpus
from cellstats.core.quantities import parse_count
from cellstats.core.refusal import quoted, refusal
from cellstats.core.words import few_threads
from cellstats.measure.dispatch import Called, Dispatch, Fleet
from cellstats.measure.journal import Build, check_same_build, this_build
from cellstats.measure.machine import Machine, Measuring
from cellstats.measure.progress import Progress
from cellstats.measure.result import Measured
from cellstats.measure.sweeps import Row
from cellstats.measure.time_left import Work, work_of

Key = TypeVar("Key")


def _ignored(_keys: Sequence[Key], _seconds: float) -> None:
    """Nobody wants to know what took how long."""


@contextmanager
def alone_on_this_computer() -> Iterator[None]:
    """Hold a lock, so that only one thread on this computer at a time runs the block.

    Does nothing on Windows, whose computers are not measured.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    descriptor = _open(Path(tempfile.gettempdir()) / "cellstats-host.lock")
    if descriptor is None:
        yield
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)  # releases the lock


def _open(path: Path) -> int | None:
    # O_CREAT is only the second try: some systems refuse it for another user's file in /tmp.
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CREAT):
        try:
            return os.open(path, flags, 0o644)
        except OSError:
            continue
    return None


def check_workers(executor: Executor | None, jobs: int | None) -> None:
    """Raise UsageError if an executor is invalid, or if both `executor` and `jobs` are given."""
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
    took: Callable[[Sequence[Key], float], object] = _ignored,
) -> None:
    """Call a function with each tuple of arguments; for each result, call `finished(key, result)`.

    function: takes an event as an additional last argument, and raises KeyboardInterrupt once the
        event is set, because signals reach only the main thread. An executor's workers may import
        the function from its module.
    executor: executor that makes the calls. The default is `jobs` threads, or one thread for each
        processor. An executor receives the calls in batches of about a second. If a worker dies,
        the calls are sent again. The workers must run the same build as this process; each batch
        checks the worker's build first, and raises UsageError if it differs.
    alone: each computer makes only one call at a time.
    named: function that returns the name of a call for messages.
    took: called with the keys of finished calls and the time that they took, before `finished`.

    If a call fails or the user presses Ctrl-C, this function cancels the calls in flight, calls
    `finished` for the finished calls, and raises the exception again. A call that kills three
    workers fails with RunError.
    """
    check_workers(executor, jobs)
    numbers = itertools.count()
    if executor is not None:
        asking = this_build()

        def there(batch: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
            return call_all, function, batch, asking, alone, next(numbers)

        fleet = Fleet(executor)
        try:
            Dispatch(calls, finished, fleet, there, named, local=False, took=took).run()
        finally:
            fleet.close()
        return
    # Events cannot be pickled, so only threads of this process receive one.
    stop = threading.Event()

    def here(batch: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
        return call_all, function, [(*arguments, stop) for arguments in batch]

    # Simulations release the GIL, so threads keep all processors busy.
    count = 1 if alone else jobs or usable_cpus()
    with few_threads(), ThreadPoolExecutor(count, thread_name_prefix="cellstats") as threads:
        try:
            fleet = Fleet(threads)
            Dispatch(calls, finished, fleet, here, named, local=True, took=took).run()
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
    """Run a batch of calls on a worker, up to the first call that fails.

    asking: the sender's build, or None to skip the check; a worker with a different build raises
        UsageError.
    alone: run no other batch on this computer at the same time.
    _nth: makes equal batches different, because some engines cache results.
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


Asked: TypeAlias = tuple[str, Mapping[str, Any]]
"""A FUNCTION, and keywords of `Machine.measure`."""


def measure(
    machine: Measuring, asked: Sequence[Asked], stop: threading.Event | None = None
) -> Sequence[Measured]:
    """Make one run on a worker; a module-level function, so that it can be pickled.

    asked: the measurements that give this run. The function returns a result for each.
    stop: an event that ends the run with KeyboardInterrupt once it is set.
    """
    if isinstance(machine, Machine):
        return machine.run_alike(asked, stop)
    return [machine.run(*each, stop) for each in asked]


def run_rows(
    rows: Mapping[Key, Row],
    finished: Callable[[Key, Any], object],
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    bar: Progress | None = None,
) -> None:
    """Measure the rows of a sweep, and call `finished(key, result)` in this thread for each row.

    Rows that are known to give the same run share one run.

    executor, jobs: where to measure, as for `run_calls`. If any row measures the host, each
        computer measures one row at a time.
    bar: counts the rows.

    A failing row and Ctrl-C are handled as in `run_calls`.
    """
    shared = _by_run(rows)
    alone = any(row.machine.name == "host" for row in rows.values())
    if bar is not None:
        local = 1 if alone else jobs or usable_cpus()
        works: dict[Hashable, Work] = {key: work_of(row) for key, row in rows.items()}
        bar.expect(works, local if executor is None else None)

    def finished_run(first: Key, results: Sequence[Measured]) -> None:
        for key, result in zip(shared[first], results, strict=True):
            finished(key, result)

    def took(keys: Sequence[Key], seconds: float) -> None:
        if bar is not None:
            bar.took([each for key in keys for each in shared[key]], seconds)

    run_calls(
        measure,
        {key: (rows[key].machine, [_asked(rows[each]) for each in shared[key]]) for key in shared},
        finished_run,
        executor=executor,
        jobs=jobs,
        alone=alone,
        named=lambda key: str(rows[key]),
        took=took,
    )


def _by_run(rows: Mapping[Key, Row]) -> dict[Key, list[Key]]:
    """The keys of the rows of each run, by the key of the run's first row."""
    shared = {key: [key] for key in rows}
    machines: dict[tuple[str, str], tuple[Machine, list[Key]]] = {}
    for key, row in rows.items():
        if isinstance(row.machine, Machine):
            same = row.machine.name, row.machine.hash
            machines.setdefault(same, (row.machine, []))[1].append(key)
    for machine, keys in machines.values():
        first = machine.alike([_asked(rows[key]) for key in keys])
        for nth, key in zip(first, keys, strict=True):
            if keys[nth] != key:
                shared[keys[nth]] += shared.pop(key)
    return shared


def _asked(row: Row) -> Asked:
    return row.function, dict(row.parameters)
