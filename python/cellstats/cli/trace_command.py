"""`cellstats trace`: a measurement looked at bus cycle by bus cycle."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from cellstats.cli.flag_values import which_spes
from cellstats.cli.flags import measurement_flags
from cellstats.cli.running_flags import function_flag, which_function
from cellstats.measure.quantities import parse_count

Command = TypeVar("Command", bound=Callable[..., Any])

_HELP = """Show what happens in a measurement, bus cycle by bus cycle.

FUNCTION and the flags are those of a plain measurement. The window begins with the first measured
DMA; for functions without DMAs, when the clock is read that they are measured by. What is drawn:
SPUs, queues, the command bus, memory channels, and every line on its on-ramp, ring and off-ramp.

\b
  cellstats trace dmaget -n 2 -b 1k -s
  cellstats trace dmaput -N 6 -b 2k --skip 5k --window 400
  cellstats trace dmaget -n 6 -b 16k --window 4k --scale 10 --out six.json

The file of --out is for viewers of Trace Events, such as https://ui.perfetto.dev; 1 us is shown
there for each ns on the chip.
"""


def _count(flag: str, least: int, default: str, text: str) -> Callable[[Command], Command]:
    def convert(_ctx: click.Context, _flag: click.Parameter, value: Any) -> int:
        return parse_count(value, flag, least)

    return click.option(
        flag, metavar="N", default=default, show_default=True, callback=convert, help=text
    )


@click.command(help=_HELP, short_help=_HELP.splitlines()[0])
@function_flag(many=False)
@measurement_flags()
@_count("--skip", 0, "0", "Bus cycles to leave out before the window.")
@_count("--window", 1, "160", "Bus cycles to show.")
@_count("--columns", 1, "100", "The longest line.")
@_count("--scale", 1, "1", "Bus cycles to a column.")
@click.option("--out", metavar="FILE", help="Write Trace Events instead of text.")
@click.option(
    "--no-fast-forward", is_flag=True, help="Simulate every cycle; the results are the same."
)
def trace(**flags: Any) -> None:
    """The command; its help is above."""
    _trace(**flags)


def _trace(
    *,
    argument: str | None,
    function: str | None,
    machine: str,
    spes: int | None,
    private_spes: int | None,
    no_fast_forward: bool,
    columns: int,
    scale: int,
    out: str | None,
    **parameters: Any,
) -> None:
    from cellstats.export.whole_file import check_place
    from cellstats.machine import machine as find_machine
    from cellstats.text.waveform import check

    check(columns, scale)
    if out is not None:
        check_place(Path(out), "--out")
    seen = find_machine(machine).trace(
        which_function(argument, function),
        fast_forward=not no_fast_forward,
        **which_spes(spes, private_spes),
        **parameters,
    )
    if out is None:
        sys.stdout.write(seen.waveform(columns, scale))
        sys.stdout.flush()
    else:
        seen.save(Path(out))
