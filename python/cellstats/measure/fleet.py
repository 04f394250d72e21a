"""An executor, as the dispatch of rows sees it: how many workers, and what to do if they die."""

from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from math import inf
from time import monotonic
from typing import Any

from cellstats._native import RunError

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
