"""The flags of commands that run programs and look at a window of the run."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from cellstats._native import UsageError
from cellstats.cli.file_flags import WRITTEN
from cellstats.core.files import check_place
from cellstats.core.quantities import parse_count
from cellstats.core.terminal import wants_colour
from cellstats.show.page import built_page
from cellstats.show.waveform import DRAWN_MAX, columns_of

if TYPE_CHECKING:
    from cellstats.measure.trace import Trace

Command = TypeVar("Command", bound=Callable[..., Any])


class Window(NamedTuple):
    """What is looked at, and where that goes."""

    span: tuple[int, int]
    """Bus cycles to leave out after the first DMA command, and to look at."""
    events: str | None
    """The file for Trace Events."""
    page: str | None
    """The file for a page that plays it."""

    @property
    def is_drawn(self) -> bool:
        """Whether it is shown as text."""
        return self.events is None and self.page is None

    def write(self, trace: "Trace", title: str) -> None:
        """Write the files that were asked for.

        Raises UsageError where no files can be, RunError where the disk is full.
        """
        if self.events is not None:
            trace.save(self.events)
        if self.page is not None:
            trace.watch(title).save(self.page)

    def drawn(self, trace: "Trace") -> str:
        """The trace as text for the error output, if it is shown as text; otherwise nothing."""
        if not self.is_drawn:
            return ""
        return trace.waveform(columns_of(sys.stderr), colour=wants_colour(sys.stderr))

    def missing(self) -> str:
        """The line for a run that has ended before the window began."""
        skip, _ = self.span
        if skip:
            begin = f"{skip} bus cycles after its first DMA command"
            return f"cellstats: no trace: the program ended before the window began, {begin}"
        return "cellstats: no trace: the program gave no DMA command"


def window_flags(command: Command) -> Command:
    """The options `--trace`, `--trace-out` and `--watch`; `window_of` makes a window of them."""
    for option in reversed(
        (
            click.option(
                "--trace",
                "span",
                metavar="[SKIP+]N",
                callback=_span,
                help="Show N bus cycles, SKIP after the first DMA command; the run ends with them.",
            ),
            click.option(
                "--trace-out",
                metavar="FILE",
                type=WRITTEN,
                help="Write Trace Events instead of text.",
            ),
            click.option(
                "--watch",
                metavar="FILE",
                type=WRITTEN,
                help="Write a page that plays them in a browser.",
            ),
        )
    ):
        command = option(command)
    return command


def window_of(
    span: tuple[int, int] | None, trace_out: str | None, watch: str | None
) -> Window | None:
    """The window that these flags ask for, None without one.

    Raises UsageError for files of no window, for places where no file can be, and where the page
    that plays it was not built: before the program runs.
    """
    for flag, place in (("--trace-out", trace_out), ("--watch", watch)):
        if place is not None and span is None:
            raise UsageError(f"{flag} without --trace; say how many bus cycles, as --trace 400")
        if place is not None:
            check_place(Path(place), flag)
    if watch is not None:
        built_page()
    window = None if span is None else Window(span, trace_out, watch)
    if window is not None and window.is_drawn and window.span[1] > DRAWN_MAX:
        reason = f"as text, {DRAWN_MAX} bus cycles at most; give fewer, or --trace-out FILE"
        raise UsageError(f"--trace of {window.span[1]}: {reason}")
    return window


def _span(_ctx: click.Context, _flag: click.Parameter, text: str | None) -> Any:
    """`W` or `SKIP+W`, as what is left out and what is traced."""
    if text is None:
        return None
    skip, plus, length = text.rpartition("+")
    if plus and not (skip and length):
        missing = "to look at" if skip else "to leave out"
        raise UsageError(
            f"--trace {text!r} lacks the bus cycles {missing}; write such as 400, or 5k+400"
        )
    return parse_count(skip, "--trace", 0) if plus else 0, parse_count(length, "--trace")
