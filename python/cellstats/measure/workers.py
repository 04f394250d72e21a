"""Many calls of one function, made by threads or by any executor."""

import itertools
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any, TypeVar

from cellstats._native import RunError, UsageError
from cellstats.measure.build import Build, check_same_build, this_build
from cellstats.measure.dispatch import Called, Dispatch
from cellstats.measure.fleet import Fleet
from cellstats.measure.one_at_a_time import alone_on_this_computer
from cellstats.measure.processors import usable_cpus
from cellstats.measure.quantities import parse_count
from cellstats.refusal import quoted, refusal
from cellstats.text.reasons import few_threads

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
