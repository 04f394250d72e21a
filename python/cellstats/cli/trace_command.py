"""`cellstats trace`: shows a measurement bus cycle by bus cycle."""

import sys
from pathlib import Path
from typing import Any

import click

from cellstats.cli.file_flags import WRITTEN
from cellstats.cli.flags import (
    count_flag,
    fast_forward_flag,
    function_flag,
    measurement_flags,
    which_function,
)
from cellstats.cli.help import Grouped
from cellstats.core.files import check_place
from cellstats.core.plain_flags import which_spes
from cellstats.core.terminal import show, wants_colour
from cellstats.core.words import encodable, file_name
from cellstats.measure.progress import Elapsed
from cellstats.show.waveform import check, columns_of
from cellstats.single_runs import machine as find_machine

_HELP = """Show what happens in a measurement, bus cycle by bus cycle.

FUNCTION and the flags are those of a plain measurement. The window begins with the first measured
DMA or, for functions without DMAs, with the reading of the clock that starts the measurement. The
drawing shows SPUs, queues, the command bus, memory channels, and every line on its on-ramp, ring
and off-ramp.

\b
  cellstats trace dmaget -n 2 -b 1k -s
  cellstats trace dmaput -N 6 -b 2k --skip 5k --window 400
  cellstats trace dmaget -n 6 -b 16k --window 4k --scale 10 --out six.json

The file of --out is for viewers of Trace Events, such as https://ui.perfetto.dev, which show 1 us
for each ns on the chip. A window holds at most half a million events, and as text 200k columns.
"""


@click.command(cls=Grouped, help=_HELP, short_help=_HELP.splitlines()[0])
@function_flag(many=False)
@measurement_flags()
@count_flag("--skip", "Bus cycles to leave out before the window.", least=0, default="0")
@count_flag("--window", "Bus cycles to show.", default="160")
@count_flag("--columns", "Characters in a line; by default the terminal's width, or 100 elsewhere.")
@count_flag("--scale", "Bus cycles per column.", default="1")
@click.option("--out", metavar="FILE", type=WRITTEN, help="Write Trace Events instead of text.")
@fast_forward_flag()
def trace(**flags: Any) -> None:
    """Run `cellstats trace`."""
    _trace(**flags)


def _trace(
    *,
    argument: str | None,
    function: str | None,
    machine: str,
    spes: int | None,
    private_spes: int | None,
    no_fast_forward: bool,
    columns: int | None,
    scale: int,
    out: str | None,
    **parameters: Any,
) -> None:
    folds, columns = columns is None, columns or columns_of(sys.stdout)
    check(columns, scale, parameters["window"] if out is None else 0)
    if out is not None:
        check_place(Path(out), "--out")
    with Elapsed("simulating") as doing:
        seen = find_machine(machine).trace(
            which_function(argument, function),
            fast_forward=not no_fast_forward,
            **which_spes(spes, private_spes),
            **parameters,
        )
        doing.now("drawing" if out is None else f"writing {file_name(out)}")
        if out is None:
            drawn = seen.waveform(columns, scale, colour=wants_colour())
        else:
            seen.save(Path(out))
    if out is None:
        if folds:
            show(drawn, has_colours=True)
        else:  # --columns sets the length of text lines
            sys.stdout.write(encodable(drawn))
        sys.stdout.flush()
