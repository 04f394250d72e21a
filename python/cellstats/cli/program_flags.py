"""Options of the commands that run programs (`run`, `spu`), and the outputs that users request."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args

import click

from cellstats._native import UsageError
from cellstats.cli.file_flags import WRITTEN
from cellstats.cli.flags import words
from cellstats.core.files import check_place, write_whole
from cellstats.core.machine import value_of
from cellstats.core.quantities import parse_count, parse_spes
from cellstats.core.terminal import wants_colour
from cellstats.core.words import did_you_mean
from cellstats.measure.machine import Machine
from cellstats.measure.trace import Trace
from cellstats.show.page import built_page, check_page_file
from cellstats.show.waveform import DRAWN_MAX, columns_of
from cellstats.spu.executable import Files

Command = TypeVar("Command", bound=Callable[..., Any])
_REACHES: tuple[str, ...] = get_args(Files)


def placement_flag(text: str) -> Callable[[Command], Command]:
    """The option `--placement`: a list of physical SPEs. text: its help."""
    return click.option(
        "--placement",
        metavar="SPES",
        callback=lambda _ctx, _flag, spes: spes and parse_spes(spes, "--placement"),
        help=text,
    )


def files_flag() -> Callable[[Command], Command]:
    """The option `--files`: the user's files that a program can reach."""
    return click.option(
        "--files",
        metavar="|".join(_REACHES),
        default="cwd",
        show_default=True,
        callback=one_of(_REACHES),
        help="Files in reach of the program: none; the current directory and below; all of yours.",
        **words(_REACHES),
    )


def one_of(choices: Sequence[str]) -> Callable[[click.Context, click.Parameter, str], str]:
    """The callback of an option that takes one of these words."""

    def check(_ctx: click.Context, flag: click.Parameter, value: str) -> str:
        if value not in choices:
            raise UsageError(f"{flag.opts[0]} {value!r}: {did_you_mean(value, choices)}")
        return value

    return check


def limit_flag(unit: str, default: str | None = None) -> Callable[[Command], Command]:
    """The option `--limit`, which the command receives as a count of `unit`; see `bus_cycles`."""
    return click.option(
        "--limit",
        metavar="CYCLES",
        default=default,
        show_default=default is not None,
        callback=lambda _ctx, _flag, text: None if text is None else parse_count(text, "--limit"),
        help=f"{unit} after which an unfinished run fails; messages count bus cycles.",
    )


def bus_cycles(processor_cycles: int, machine: Machine) -> int:
    """Convert processor cycles to bus cycles, rounded up."""
    return -(-processor_cycles // value_of(machine, "chip.processor_cycles_per_bus_cycle"))


def output_flags(*, profile: str) -> Callable[[Command], Command]:
    """The options `--trace`, `--trace-out`, `--watch`, `--profile` and `--record`.

    The command passes `span`, `trace_out`, `watch` and `record` to `outputs_of`. profile: the help
    text of `--profile`.
    """
    options = (
        click.option(
            "--trace",
            "span",
            metavar="[SKIP+]N",
            callback=_span,
            help="Show N bus cycles, SKIP after the first DMA command; then the run ends.",
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
            help="Write a page that plays the window in a browser.",
        ),
        click.option("--profile", is_flag=True, help=profile),
        click.option(
            "--record",
            metavar="FILE",
            type=WRITTEN,
            help="Write all counts and times as JSON.",
        ),
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _span(_ctx: click.Context, _flag: click.Parameter, text: str | None) -> Any:
    """Reads `N` or `SKIP+N` as (SKIP, N)."""
    if text is None:
        return None
    skip, plus, length = text.rpartition("+")
    if plus and not (skip and length):
        missing = "to show" if skip else "to leave out"
        raise UsageError(
            f"--trace {text!r} lacks the bus cycles {missing}; write for example 400, or 5k+400"
        )
    return parse_count(skip, "--trace", 0) if plus else 0, parse_count(length, "--trace")


class Outputs(NamedTuple):
    """Files to write after a run, and the window of the run to trace."""

    span: tuple[int, int] | None
    """Bus cycles to skip after the first DMA command, and bus cycles to trace."""
    events: str | None
    """File for Trace Events."""
    page: str | None
    """File for a page that plays the window."""
    record: str | None
    """File for counts and times as JSON."""

    @property
    def is_drawn(self) -> bool:
        """Whether the window is shown as text."""
        return self.span is not None and self.events is None and self.page is None

    def write_record(self, record: Callable[[], Any]) -> None:
        """Write the record if `--record` was given; `record` is called only in this case."""
        if self.record is not None:
            write_whole(Path(self.record), json.dumps(record()) + "\n")

    def write_trace(self, trace: Trace | None, title: str) -> None:
        """Write Trace Events and the page. trace: None if the program ended before the window.

        Raises UsageError for a file that cannot be written, RunError if the disk is full.
        """
        if trace is not None and self.events is not None:
            trace.save(self.events)
        if trace is not None and self.page is not None:
            trace.watch(title).save(self.page)

    def drawn(self, trace: Trace | None) -> str:
        """The trace as text for the error output; empty unless the window is shown as text."""
        if trace is None or not self.is_drawn:
            return ""
        return trace.waveform(columns_of(sys.stderr), colour=wants_colour(sys.stderr))

    def missing(self, trace: Trace | None) -> str:
        """A line that says why the trace is missing; empty if no requested trace is missing."""
        if self.span is None or trace is not None:
            return ""
        skip, _ = self.span
        if skip:
            begin = f"{skip} bus cycles after its first DMA command"
            return f"cellstats: no trace: the program ended before the window began, {begin}\n"
        return "cellstats: no trace: the program gave no DMA command\n"


def outputs_of(
    span: tuple[int, int] | None, trace_out: str | None, watch: str | None, record: str | None
) -> Outputs:
    """The outputs that the options ask for, checked before the program runs.

    Raises UsageError for --trace-out or --watch without --trace, for a file that cannot be written,
    for --watch if the page is not built, and for a window too long to draw.
    """
    for flag, file in (("--trace-out", trace_out), ("--watch", watch)):
        if file is not None and span is None:
            raise UsageError(f"{flag} without --trace; say how many bus cycles, as --trace 400")
    if trace_out is not None:
        check_place(Path(trace_out), "--trace-out")
    if watch is not None:
        check_page_file(Path(watch), "--watch")
        built_page()
    outputs = Outputs(span, trace_out, watch, record)
    if span is not None and outputs.is_drawn and span[1] > DRAWN_MAX:
        reason = f"as text, {DRAWN_MAX} bus cycles at most; give fewer, or --trace-out FILE"
        raise UsageError(f"--trace of {span[1]}: {reason}")
    if record is not None:
        check_place(Path(record), "--record")
    return outputs
