"""The progress of a long command, on stderr."""

import sys
import threading
import time
from contextlib import suppress
from types import TracebackType

from cellstats.core.terminal import width

_REDRAW_S = 0.1
_LINE_S = 2.0
_ELAPSED_S = 1.0
_BAR_CELLS = 24
_ERASE = "\r\x1b[K"
"""Terminal codes that clear the current line and move the cursor to its beginning."""


class Progress:
    """A progress bar on a terminal.

    total: number of rows.
    done: number of rows finished in an earlier run.
    always: print progress lines even if stderr is no terminal.
    what: the plural noun for rows in the text.

        with Progress(48) as progress:
            progress.advance()      # for each row

    The method `reach` sets the count and the total directly.
    """

    def __init__(
        self, total: int = 0, done: int = 0, *, always: bool = False, what: str = "rows"
    ) -> None:
        self._what = what
        self._total, self._done, self._before = total, done, done
        self._terminal = sys.stderr.isatty()
        self._silent = not self._terminal and not always
        self._start = self._shown = time.monotonic()

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
        if self._terminal:
            print(_ERASE, end="", file=sys.stderr, flush=True)

    def advance(self) -> None:
        """Count one more row as finished."""
        self.reach(self._done + 1, self._total)

    def skip(self, rows: int) -> None:
        """Count rows of an earlier run, which do not affect the estimate of the time left."""
        self._before += rows
        # If an earlier run finished all rows, show nothing.
        if rows < self._total:
            self.reach(self._done + rows, self._total)

    def reach(self, done: int, total: int) -> None:
        """Set the number of finished rows and the total number of rows."""
        self._done, self._total = done, total
        now = time.monotonic()
        pause = _REDRAW_S if self._terminal else _LINE_S
        if not self._silent and (now - self._shown >= pause or self._done == self._total):
            self._shown = now
            self._show()

    def _show(self) -> None:
        now, seconds = self._done - self._before, time.monotonic() - self._start
        text = progress_line(self._done, self._total, now, seconds, self._what)
        start, end = (_ERASE, "") if self._terminal else ("", "\n")
        print(start + _within_line(text), end=end, file=sys.stderr, flush=True)


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


def progress_line(done: int, total: int, done_now: int, seconds: float, what: str = "rows") -> str:
    """A progress line: a bar, the count, and an estimate of the time left.

    done_now, seconds: the number of rows finished since the start, and the time they took.

    >>> progress_line(12, 48, 2, 10.0)
    '[######                  ]  12 of 48 rows, 3:00 left'
    >>> progress_line(0, 48, 0, 0.0)
    '[                        ]  0 of 48 rows'
    """
    bar = ("#" * (_BAR_CELLS * done // max(total, 1))).ljust(_BAR_CELLS)
    left = f", {_clock((total - done) * seconds / done_now)} left" if done_now else ""
    return f"[{bar}]  {done} of {total} {what}{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
