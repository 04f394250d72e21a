"""An executor, as the dispatch of rows sees it: how many workers, and what to do if they die.

Calls sent to workers in batches, and sent again when a worker dies.

A batch keeps a worker busy for about a second, so that what travels costs little. The first calls
go one by one: they say how long one takes.
"""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any, Generic, TypeAlias, TypeVar

from cellstats._native import RunError, UsageError
from cellstats.core.words import kind_and_reason

_DEATHS = ("KilledWorker", "WorkerCrashedError", "OutOfMemoryError", "NodeDiedError")
"""Names of the errors by which Dask and Ray say that workers died of a task, again and again."""

_COUNT_S = 2.0
"""Time for which a count of workers is good."""


class WorkersError(RunError):
    """The workers failed, and not the rows that they had."""


class Fleet:
    """The workers behind an executor. `close` ends what was started here in place of broken ones.

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
        """How many tasks it runs at a time; None if it does not say. Workers come and go."""
        at, count = self._counted
        if monotonic() - at > _COUNT_S:
            count = _workers(self.executor)
            self._counted = monotonic(), count
        if count != 0:
            self._last_seen = monotonic()
        return count

    def empty_s(self) -> float:
        """For how long it has had no worker at all."""
        self.workers()
        return monotonic() - self._last_seen

    def renew(self) -> bool:
        """Put a new executor of the same kind in place of a broken one; False if it cannot be.

        A broken pool of processes never runs anything again.
        """
        if type(self.executor) is not ProcessPoolExecutor:
            return False
        broken: Any = self.executor
        # There is no public way to ask how it was made.
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
        """End the workers that were started here."""
        if self._renewed:
            self.executor.shutdown(wait=False, cancel_futures=True)


def _workers(executor: Executor) -> int | None:
    client = getattr(executor, "_client", None)
    if client is not None:  # Dask's
        try:
            threads: dict[str, int] = client.nthreads()
            return sum(threads.values())
        except Exception:  # what happened, the calls under way will say
            return None
    count = getattr(executor, "_max_workers", None)
    return count if isinstance(count, int) and count > 0 else None


def deaths_in(error: BaseException) -> int:
    """How many deaths of workers an error stands for, at the least; 0 if it is none.

    A pool of processes tells of each; Dask and Ray try again by themselves, and tell of the last.
    """
    if isinstance(error, BrokenExecutor):
        return 1
    names = {kind.__name__ for kind in type(error).__mro__}
    return 2 if names & set(_DEATHS) else 0


Key = TypeVar("Key", bound=Hashable)

BATCH_S = 1.0
"""Seconds for which a batch keeps a worker busy."""
CALLS_MAX = 1000
"""Calls of a batch, however short they are."""
DEATHS_MAX = 3
"""Workers that a call may cost."""
_AHEAD = 2
"""Batches for each worker: one runs, the next one is there already."""
_UNKNOWN = 64
"""Batches under way where nobody says how many workers there are."""
_LOOK_S = 5.0
"""Time after which the workers are counted again, though nothing has come."""
_EMPTY_S = 60.0
"""Time for a new worker to come, once all have gone."""
_NEW_SHARE = 0.3
"""Share of the last batch in the time that a call is expected to take."""


@dataclass(frozen=True, slots=True)
class Called:
    """What became of a batch."""

    answers: Sequence[Any]
    """Of its first calls."""
    error: RunError | UsageError | None
    """Why the call after these failed; None if none did."""
    seconds: float
    """Time that it took where it ran."""


Work: TypeAlias = Callable[[Sequence[tuple[Any, ...]]], tuple[Any, ...]]
"""A function to submit, and its arguments, for the arguments of a batch of calls."""


class Dispatch(Generic[Key]):
    """Calls on their way through a fleet.

    calls: the arguments of each.
    finished: called in this thread with each call's key and answer, as they come.
    named: what a call is called when it is refused.
    local: the workers are threads: nothing travels, so calls go one by one, and what a call raises
        is ours.
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
    ) -> None:
        self._calls, self._finished, self._fleet, self._work = calls, finished, fleet, work
        self._named, self._local = named, local
        self._waiting = deque(calls)
        self._suspects: deque[Key] = deque()
        """Calls that may have killed workers; each runs while nothing else does."""
        self._deaths: Counter[Key] = Counter()
        self._under_way: dict[Future[Called], list[Key]] = {}
        self._call_s: float | None = None
        self._is_broken = False

    def run(self) -> None:
        """Make all. Raises what the first call that fails raises; RunError for one of which
        workers die.

        What is finished then has been given to `finished` before.
        """
        try:
            while self._waiting or self._suspects or self._under_way:
                self._submit()
                done, _ = wait(self._under_way, _LOOK_S, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(future)
                if not done and self._fleet.empty_s() > _EMPTY_S:
                    raise WorkersError("the last worker has gone, and no other one comes")
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
        places = _UNKNOWN if workers is None else _AHEAD * max(workers, 1)
        while self._waiting and len(self._under_way) < places and not self._is_broken:
            self._send(self._next_batch(places))

    def _next_batch(self, places: int) -> list[Key]:
        """As many calls as take about a second, but a share for every worker at the end."""
        count = 1
        if not self._local and self._call_s is not None:
            share = -(-len(self._waiting) // places)
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
        for key, answer in zip(keys, called.answers, strict=False):
            self._finished(key, answer)
        call_s = called.seconds / max(len(called.answers), 1)
        known = call_s if self._call_s is None else self._call_s
        self._call_s = known + _NEW_SHARE * (call_s - known)

    def _died(self, keys: Sequence[Key], deaths: int) -> None:
        """Every row of the batch may have been the cause, and of a broken pool every batch.

        Those that are there a second time run alone, so that the third death is surely theirs.
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
        """Cancel what is under way, and keep what is finished."""
        for future in self._under_way:
            future.cancel()
        for future, keys in self._under_way.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                self._keep(keys, future.result())
