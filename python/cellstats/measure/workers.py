"""Many calls of one function, made by threads or by any executor."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from typing import Any, TypeVar

from cellstats.measure.processors import usable_cpus
from cellstats.measure.quantities import parse_count
from cellstats.refusal import quoted, refusal

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
) -> None:
    """Call a function with each of these arguments; `finished(key, answer)` as each one comes.

    function: takes an event as its last argument, too: once it is set, it ends with
        KeyboardInterrupt. Signals reach the main thread only, and this is how others hear of them.
    executor: who makes the calls; by default threads, `jobs` of them or one for each processor.

    If a call fails, or Ctrl-C is pressed, the calls under way are given up, `finished` is called
    for those that are finished, and the exception is raised again.
    """
    check_workers(executor, jobs)
    if executor is not None:
        _run(function, calls, finished, executor, None)
        return
    stop = threading.Event()
    # Simulations release the interpreter's lock, so threads keep all processors busy.
    with ThreadPoolExecutor(jobs or usable_cpus(), thread_name_prefix="cellstats") as threads:
        try:
            _run(function, calls, finished, threads, stop)
        except BaseException:
            stop.set()
            raise


def _run(
    function: Callable[..., Any],
    calls: Mapping[Key, tuple[Any, ...]],
    finished: Callable[[Key, Any], object],
    executor: Executor,
    stop: threading.Event | None,
) -> None:
    # Events cannot be pickled, so only threads of this process get one.
    stopping = () if stop is None else (stop,)
    waiting: dict[Future[Any], Key] = {}
    try:
        for key, arguments in calls.items():
            waiting[executor.submit(function, *arguments, *stopping)] = key
        for future in as_completed(list(waiting)):
            answer = future.result()
            finished(waiting.pop(future), answer)
    except BaseException:
        for future in waiting:
            future.cancel()
        for future, key in waiting.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                finished(key, future.result())
        raise
