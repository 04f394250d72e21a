"""Rows sent to workers in batches, and sent again when a worker dies.

A batch keeps a worker busy for about a second, so that what travels costs little. The first rows go
one by one: they say how long one takes.
"""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    wait,
)
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from cellstats._native import RunError, UsageError
from cellstats.measure.fleet import Fleet, WorkersError, deaths_in
from cellstats.measure.row import Row
from cellstats.result import AnyResult

Key = TypeVar("Key", bound=Hashable)

BATCH_S = 1.0
"""Seconds for which a batch keeps a worker busy."""
ROWS_MAX = 1000
"""Rows of a batch, however short they are."""
DEATHS_MAX = 3
"""Workers that a row may cost."""
_AHEAD = 2
"""Batches for each worker: one runs, the next one is there already."""
_UNKNOWN = 64
"""Batches under way where nobody says how many workers there are."""
_NEW_SHARE = 0.3
"""Share of the last batch in the time that a row is expected to take."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What became of a batch."""

    results: Sequence[AnyResult]
    """Of its first rows."""
    error: RunError | UsageError | None
    """Why the row after these failed; None if none did."""
    seconds: float
    """Time that it took where it ran."""


Work: TypeAlias = Callable[[Sequence[Row]], tuple[Any, ...]]
"""A function to submit, and its arguments, for the rows of a batch."""


class Dispatch(Generic[Key]):
    """Rows on their way through a fleet.

    finished: called in this thread with each row's key and result, as they come.
    local: the workers are threads: nothing travels, so rows go one by one, and what a row raises
        is ours.
    """

    def __init__(
        self,
        rows: Mapping[Key, Row],
        finished: Callable[[Key, Any], object],
        fleet: Fleet,
        work: Work,
        *,
        local: bool,
    ) -> None:
        self._rows, self._finished, self._fleet, self._work = rows, finished, fleet, work
        self._local = local
        self._waiting = deque([key] for key in rows)
        self._waiting_rows = len(rows)
        self._suspects: deque[Key] = deque()
        """Rows that may have killed workers; each runs while nothing else does."""
        self._deaths: Counter[Key] = Counter()
        self._under_way: dict[Future[Measured], list[Key]] = {}
        self._row_s: float | None = None
        self._is_broken = False

    def run(self) -> None:
        """Measure all. Raises what the first row that fails raises; RunError for one of which
        workers die.

        What is finished then has been given to `finished` before.
        """
        try:
            while self._waiting or self._suspects or self._under_way:
                self._submit()
                done, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(future)
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
        places = _UNKNOWN if workers is None else _AHEAD * workers
        while self._waiting and len(self._under_way) < places and not self._is_broken:
            self._send(self._next_batch(places))

    def _next_batch(self, places: int) -> list[Key]:
        """As many rows as take about a second, but a share for every worker at the end."""
        count = 1
        if not self._local and self._row_s is not None:
            share = -(-self._waiting_rows // places)
            count = max(1, min(int(BATCH_S / max(self._row_s, 1e-9)), share, ROWS_MAX))
        batch: list[Key] = []
        while self._waiting and len(batch) < count:
            batch += self._waiting.popleft()
        self._waiting_rows -= len(batch)
        return batch

    def _send(self, keys: list[Key]) -> None:
        function, *arguments = self._work([self._rows[key] for key in keys])
        try:
            future = self._fleet.executor.submit(function, *arguments)
        except BrokenExecutor:
            self._is_broken = True
            self._put_back(keys)
        else:
            self._under_way[future] = keys

    def _put_back(self, keys: Sequence[Key]) -> None:
        self._waiting.extendleft([key] for key in reversed(keys))
        self._waiting_rows += len(keys)

    def _take(self, future: "Future[Measured]") -> None:
        keys = self._under_way[future]
        try:
            measured = future.result()
        except (RunError, UsageError):
            raise
        except CancelledError:
            raise WorkersError(
                "the rows under way were cancelled: are the workers still there?"
            ) from None
        except Exception as error:
            deaths = deaths_in(error)
            if not deaths and self._local:
                raise
            if not deaths:
                what = f"{type(error).__name__}: {error}".splitlines()[0]
                raise WorkersError(f"a worker failed with {what}") from error
            del self._under_way[future]
            self._is_broken = self._is_broken or isinstance(error, BrokenExecutor)
            self._died(keys, deaths)
            return
        del self._under_way[future]
        self._keep(keys, measured)
        if measured.error is not None:
            raise measured.error

    def _keep(self, keys: Sequence[Key], measured: Measured) -> None:
        for key, result in zip(keys, measured.results, strict=False):
            self._finished(key, result)
        row_s = measured.seconds / max(len(measured.results), 1)
        known = row_s if self._row_s is None else self._row_s
        self._row_s = known + _NEW_SHARE * (row_s - known)

    def _died(self, keys: Sequence[Key], deaths: int) -> None:
        """Every row of the batch may have been the cause, and of a broken pool every batch.

        Those that are there a second time run alone, so that the third death is surely theirs.
        """
        for key in keys:
            self._deaths[key] += deaths
            if self._deaths[key] >= DEATHS_MAX:
                raise WorkersError(
                    f"{self._rows[key]}: {DEATHS_MAX} workers died of it; "
                    "leave it out, or look at the workers' memory and messages"
                )
        again = [key for key in keys if self._deaths[key] < DEATHS_MAX - 1]
        self._suspects.extend(key for key in keys if self._deaths[key] >= DEATHS_MAX - 1)
        self._put_back(again)

    def _give_up(self) -> None:
        """Cancel what is under way, and keep what is finished."""
        for future in self._under_way:
            future.cancel()
        for future, keys in self._under_way.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                self._keep(keys, future.result())
