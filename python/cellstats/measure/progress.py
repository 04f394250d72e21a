"""The progress of a long command, on stderr."""

import sys
import threading
import time
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType

from cellstats.core.terminal import width
from cellstats.measure.time_left import TimeLeft, Work

_REDRAW_S = 0.1
_LINE_S, _LINES_S = 2.0, 60.0
"""Shortest and longest time between two lines in a log."""
_UNKNOWN_S = 1.0
"""No time left is estimated before."""
_LONG_S = 30.0
"""Who waits longer is told what to do meanwhile."""
_ELAPSED_S = 1.0
_BAR_CELLS = 24
_ERASE = "\r\x1b[K"
"""Terminal codes that clear the current line and move the cursor to its beginning."""


class Progress:
    """A progress bar on a terminal, or rare lines in a log.

    total: number of rows.
    done: number of rows finished in an earlier run.
    always: print progress lines even if stderr is no terminal.
    what: the plural noun for rows in the text.
    meanwhile: text that is printed once if the command will take long.

        with Progress(48) as progress:
            progress.advance()      # for each row

    The method `reach` sets the count and the total directly. If `expect` says how much work the
    rows are, `took` counts them, and the estimate of the time left depends on what they took.
    """

    def __init__(
        self,
        total: int = 0,
        done: int = 0,
        *,
        always: bool = False,
        what: str = "rows",
        meanwhile: str = "",
    ) -> None:
        self._what, self._meanwhile = what, meanwhile
        self._total, self._done, self._before = total, done, done
        self._terminal = sys.stderr.isatty()
        self._silent = not self._terminal and not always
        self._start = self._shown = time.monotonic()
        self._expected = TimeLeft()
        self._workers: int | None = None
        self._busy_s = 0.0
        self._first: tuple[float, int] | None = None
        """Seconds until the first rows were finished, and the number of rows then."""

    def __enter__(self) -> "Progress":
        if self._terminal and self._total:
            self._show()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _where: TracebackType | None,
    ) -> None:
        self._erase()

    def advance(self, rows: int = 1) -> None:
        """Count more rows as finished."""
        self.reach(self._done + rows, self._total)

    def skip(self, rows: int) -> None:
        """Count rows of an earlier run, which do not affect the estimate of the time left."""
        self._before += rows
        # If an earlier run finished all rows, show nothing.
        if rows < self._total:
            self.reach(self._done + rows, self._total)

    def expect(self, works: Mapping[Hashable, Work], workers: int | None) -> None:
        """Say what work the next rows are.

        workers: number of rows that run at the same time, or None if it is unknown.
        """
        self._expected.expect(works)
        self._workers = workers

    def took(self, keys: Sequence[Hashable], seconds: float) -> None:
        """Count expected rows as finished, which took this time altogether on one worker."""
        self._busy_s += seconds
        self._expected.took(keys, seconds)
        self.advance(len(keys))

    def reach(self, done: int, total: int) -> None:
        """Set the number of finished rows and the total number of rows."""
        self._done, self._total = done, total
        now = time.monotonic()
        if self._first is None and done > self._before:
            # What precedes the first rows, such as the start of workers, happens only once.
            self._first = now - self._start, done
        if self._silent or not total:
            return
        if now - self._shown >= self._pause_s(now) or done == total:
            self._shown = now
            if self._meanwhile and (self.left_s or 0) > _LONG_S:
                self._print(self._meanwhile)
                self._meanwhile = ""
            self._show()

    def note(self, text: str) -> None:
        """Print a line above the bar, unless the progress is silent."""
        if not self._silent:
            self._print(text)
            if self._terminal:
                self._show()

    @property
    def left_s(self) -> float | None:
        """The expected time until all rows are finished, or None if too little is known."""
        elapsed_s = time.monotonic() - self._start
        others = max(self._total - self._done - self._expected.rows, 0)
        if self._done == self._total and self._first is not None:
            return 0.0
        if elapsed_s < _UNKNOWN_S or self._first is None or self._done == self._first[1]:
            return None
        workers = self._workers or max(self._busy_s / elapsed_s, 1.0)
        first_s, first = self._first
        row_s = (elapsed_s - first_s) / (self._done - first)
        return self._expected.seconds / workers + others * row_s

    def _pause_s(self, now: float) -> float:
        """Time between two displays. A log gets fewer lines the longer a command takes."""
        return _REDRAW_S if self._terminal else max(_LINE_S, min((now - self._start) / 4, _LINES_S))

    def _show(self) -> None:
        text = progress_line(self._done, self._total, self.left_s, self._what)
        start, end = (_ERASE, "") if self._terminal else ("", "\n")
        print(start + _within_line(text), end=end, file=sys.stderr, flush=True)

    def _print(self, text: str) -> None:
        self._erase()
        print(text, file=sys.stderr, flush=True)

    def _erase(self) -> None:
        if self._terminal:
            print(_ERASE, end="", file=sys.stderr, flush=True)


class Elapsed:
    """Shows a command's current work and its duration on a terminal, without a count of rows.

    with Elapsed("simulating") as doing:
        doing.now("writing x.json")
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._over = threading.Event()
        self._start = time.monotonic()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self) -> "Elapsed":
        if sys.stderr.isatty():
            # If no thread can be started, nothing is shown.
            with suppress(RuntimeError):
                self._thread.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _where: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def now(self, what: str) -> None:
        """Set the description of the current work."""
        self._what = what

    def _show(self) -> None:
        shown = False
        # Work that takes less than `_ELAPSED_S` needs no display.
        while not self._over.wait(_ELAPSED_S):
            shown = True
            line = f"{self._what}, {_clock(time.monotonic() - self._start)}"
            print(_ERASE + _within_line(line), end="", file=sys.stderr, flush=True)
        if shown:
            print(_ERASE, end="", file=sys.stderr, flush=True)


def _within_line(text: str) -> str:
    """A progress text; a text too long for the terminal loses its bar, and is cut to fit.

    `_ERASE` clears only one line.
    """
    room = width(sys.stderr)
    if room is None or len(text) < room:
        return text
    return text.rpartition("]  ")[2][: max(room - 1, 0)]


def progress_line(done: int, total: int, left_s: float | None, what: str = "rows") -> str:
    """A progress line: a bar, the count, and the time left, if it is known.

    >>> progress_line(12, 48, 180.0)
    '[######                  ]  12 of 48 rows, 3:00 left'
    >>> progress_line(0, 48, None)
    '[                        ]  0 of 48 rows'
    """
    bar = ("#" * (_BAR_CELLS * done // max(total, 1))).ljust(_BAR_CELLS)
    left = "" if left_s is None else f", {_clock(left_s)} left"
    return f"[{bar}]  {done} of {total} {what}{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
