"""Sends calls to an executor's workers in batches, and sends them again if a worker dies.

A batch keeps a worker busy for about a second, so that communication costs little. The first calls
are sent one by one, to measure the duration of a call. `Fleet` counts an executor's workers and
replaces a broken pool.
"""

import sys
from collections import Counter, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from dataclasses import dataclass
from math import inf
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Generic, TypeAlias, TypeVar

from cellstats._native import RunError, UsageError
from cellstats.core.words import kind_and_reason
from cellstats.measure.ctrl_c import ctrl_c_calls

Key = TypeVar("Key", bound=Hashable)

BATCH_S = 1.0
"""Duration of a batch on a worker, in seconds."""
CALLS_MAX = 1000
"""Maximum number of calls in a batch."""
DEATHS_MAX = 3
"""Number of worker deaths after which a call fails."""
_AHEAD = 2
"""Number of batches sent to each worker: one runs, and one waits in the worker's queue."""
_UNKNOWN = 64
"""Number of batches in flight if the number of workers is unknown."""
_LOOK_S = 0.5 if sys.platform == "win32" else 5.0
"""Interval at which the workers are counted while no result arrives. Windows lets Ctrl-C wait for
its end."""
_EMPTY_S = 60.0
"""Time to wait for a new worker once all workers are gone."""
_NEW_SHARE = 0.3
"""Weight of the last batch in the running average of a call's duration."""
_DEATH = "KilledWorker"
"""Name of the error that Dask raises after a task has killed several workers."""
_COUNT_S = 2.0
"""Time for which a count of the workers is reused before they are counted again."""


class WorkersError(RunError):
    """A failure of the workers, not of the rows that they measured."""


class Fleet:
    """The workers of an executor. `close` ends the pools that `renew` started.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> Fleet(ThreadPoolExecutor(3)).workers()
    3
    """

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self._renewed = False
        self._counted: tuple[float, int | None] = (-inf, None)
        self._last_seen = monotonic()

    def workers(self) -> int | None:
        """Number of tasks that can run at the same time now, or None if unknown."""
        at, count = self._counted
        if monotonic() - at > _COUNT_S:
            count = _workers(self.executor)
            self._counted = monotonic(), count
        if count != 0:
            self._last_seen = monotonic()
        return count

    def empty_s(self) -> float:
        """Seconds since the executor last had a worker."""
        self.workers()
        return monotonic() - self._last_seen

    def renew(self) -> bool:
        """Replace a broken pool of processes by a new one; return False for other executors.

        A broken pool of processes accepts no more calls.
        """
        if type(self.executor) is not ProcessPoolExecutor:
            return False
        broken: Any = self.executor
        # A process pool has no public interface for its parameters.
        self.executor = ProcessPoolExecutor(
            broken._max_workers,
            mp_context=broken._mp_context,
            initializer=broken._initializer,
            initargs=broken._initargs,
            max_tasks_per_child=broken._max_tasks_per_child,
        )
        if self._renewed:
            broken.shutdown(wait=False)
        self._renewed = True
        return True

    def close(self) -> None:
        """End the workers that `renew` started."""
        if self._renewed:
            self.executor.shutdown(wait=False, cancel_futures=True)


def _workers(executor: Executor) -> int | None:
    client = getattr(executor, "_client", None)
    if client is not None:  # Dask's
        try:
            threads: dict[str, int] = client.nthreads()
            return sum(threads.values())
        except Exception:  # the calls in flight will report the error
            return None
    count = getattr(executor, "_max_workers", None)
    return count if isinstance(count, int) and count > 0 else None


def deaths_in(error: BaseException) -> int:
    """Minimum number of worker deaths that an error implies; 0 for unrelated errors.

    A pool of processes reports each death. Dask retries a task when its worker dies, and reports
    only the last death.
    """
    if isinstance(error, BrokenExecutor):
        return 1
    return 2 if any(kind.__name__ == _DEATH for kind in type(error).__mro__) else 0


@dataclass(frozen=True, slots=True)
class Called:
    """The outcome of a batch."""

    answers: Sequence[Any]
    """Return values of all calls, or of the calls before the one that failed."""
    error: RunError | UsageError | None
    """Error of the call that failed, or None if all succeeded."""
    seconds: float
    """Time on the worker."""


Work: TypeAlias = Callable[[Sequence[tuple[Any, ...]]], tuple[Any, ...]]
"""Turns the arguments of a batch of calls into the function to submit, and its arguments."""


class Dispatch(Generic[Key]):
    """Sends calls to a fleet of workers, and collects the return values.

    calls: the arguments of each call.
    finished: called in this thread with the key and the return value of each call.
    took: called before that with the keys of a batch, and its seconds on the worker.
    work: function that makes the task for a batch of calls.
    named: function that returns the name of a call for messages.
    local: the workers are threads of this process. Threads receive one call at a time, and an
        exception in a call is raised unchanged.
    """

    def __init__(
        self,
        calls: Mapping[Key, tuple[Any, ...]],
        finished: Callable[[Key, Any], object],
        fleet: Fleet,
        work: Work,
        named: Callable[[Key], str],
        *,
        local: bool,
        took: Callable[[Sequence[Key], float], object] = lambda _keys, _seconds: None,
    ) -> None:
        self._calls, self._finished, self._fleet, self._work = calls, finished, fleet, work
        self._named, self._local, self._took = named, local, took
        self._waiting = deque(calls)
        self._suspects: deque[Key] = deque()
        """Calls that may have killed workers; each of these calls runs alone."""
        self._deaths: Counter[Key] = Counter()
        self._under_way: dict[Future[Called], list[Key]] = {}
        self._ended: SimpleQueue[Future[Called] | None] = SimpleQueue()
        """Batches that ended, in that order, and None for Ctrl-C."""
        self._call_s: float | None = None
        self._is_broken = False

    def run(self) -> None:
        """Make all calls. Raises the error of the first call that fails, or RunError for a call
        that kills workers.

        Before the error is raised, `finished` is called for all finished calls.
        """
        with ctrl_c_calls(lambda: self._ended.put(None)):
            try:
                while self._waiting or self._suspects or self._under_way:
                    self._submit()
                    self._take_next()
            except BaseException:
                self._give_up()
                raise

    def _submit(self) -> None:
        if self._is_broken and not self._under_way:
            if not self._fleet.renew():
                raise WorkersError("the workers died, and this executor starts no new ones")
            self._is_broken = False
        if self._is_broken:
            return
        if self._suspects:
            if not self._under_way:
                self._send([self._suspects.popleft()])
            return
        workers = self._fleet.workers()
        slots = _UNKNOWN if workers is None else _AHEAD * max(workers, 1)
        while self._waiting and len(self._under_way) < slots and not self._is_broken:
            self._send(self._next_batch(slots))

    def _next_batch(self, slots: int) -> list[Key]:
        """Take calls for about a second, but at most one slot's share of the remaining calls."""
        count = 1
        if not self._local and self._call_s is not None:
            share = -(-len(self._waiting) // slots)
            count = max(1, min(int(BATCH_S / max(self._call_s, 1e-9)), share, CALLS_MAX))
        return [self._waiting.popleft() for _ in range(min(count, len(self._waiting)))]

    def _send(self, keys: list[Key]) -> None:
        function, *arguments = self._work([self._calls[key] for key in keys])
        try:
            future = self._fleet.executor.submit(function, *arguments)
        except BrokenExecutor:
            self._is_broken = True
            self._waiting.extendleft(reversed(keys))
        except Exception as error:
            if self._local:
                raise
            raise WorkersError(f"the workers take no work: {kind_and_reason(error)}") from error
        else:
            self._under_way[future] = keys
            future.add_done_callback(self._ended.put)

    def _take_next(self) -> None:
        """Wait for a batch to end, and take its results."""
        try:
            future = self._ended.get(timeout=_LOOK_S)
        except Empty:
            if self._fleet.empty_s() > _EMPTY_S:
                raise WorkersError("the last worker has gone, and no other one comes") from None
            return
        if future is None:
            raise KeyboardInterrupt
        self._take(future)

    def _take(self, future: "Future[Called]") -> None:
        keys = self._under_way[future]
        try:
            called = future.result()
        except (RunError, UsageError):
            raise
        except CancelledError:
            raise WorkersError(
                "the calls under way were cancelled: are the workers still there?"
            ) from None
        except Exception as error:
            deaths = deaths_in(error)
            if not deaths and self._local:
                raise
            if not deaths:
                raise WorkersError(f"a worker failed with {kind_and_reason(error)}") from error
            del self._under_way[future]
            self._is_broken = self._is_broken or isinstance(error, BrokenExecutor)
            self._died(keys, deaths)
            return
        del self._under_way[future]
        self._keep(keys, called)
        if called.error is not None:
            raise called.error

    def _keep(self, keys: Sequence[Key], called: Called) -> None:
        self._took(keys[: len(called.answers)], called.seconds)
        for key, answer in zip(keys, called.answers, strict=False):
            self._finished(key, answer)
        call_s = called.seconds / max(len(called.answers), 1)
        known = call_s if self._call_s is None else self._call_s
        self._call_s = known + _NEW_SHARE * (call_s - known)

    def _died(self, keys: Sequence[Key], deaths: int) -> None:
        """Add the worker deaths to every call in the batch, because any of them may be the cause.

        A broken pool counts as a death for each batch in the pool. A call with two deaths runs
        alone, so that it must be the cause of a third death.
        """
        for key in keys:
            self._deaths[key] += deaths
            if self._deaths[key] >= DEATHS_MAX:
                raise WorkersError(
                    f"{self._named(key)}: {DEATHS_MAX} workers died of it; "
                    "leave it out, or look at the workers' memory and messages"
                )
        again = [key for key in keys if self._deaths[key] < DEATHS_MAX - 1]
        self._suspects.extend(key for key in keys if self._deaths[key] >= DEATHS_MAX - 1)
        self._waiting.extendleft(reversed(again))

    def _give_up(self) -> None:
        """Cancel the batches in flight, and keep the results of finished batches."""
        for future in self._under_way:
            future.cancel()
        for future, keys in self._under_way.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                self._keep(keys, future.result())
