"""`cellstats trace`: a measurement looked at bus cycle by bus cycle."""

import sys
from pathlib import Path
from typing import Any

import click

from cellstats._native import UsageError
from cellstats.quantities import parse_count

# What the flags of a plain measurement are called where they are no parameters of `measure`.
_MEASUREMENT = {"machine", "shared", "private", "no_fast_forward"}

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


def trace_command(measurement: click.Command, functions: dict[str, Any]) -> click.Command:
    """The sub-command, with the options of the plain measurement.

    functions: how the shell completes FUNCTION.
    """
    from cellstats.machine import Machine

    wanted = _MEASUREMENT | (Machine.measure.__kwdefaults__ or {}).keys()
    shared = [option for option in measurement.params if option.name in wanted]
    own: list[click.Parameter] = [
        click.Argument(["function"], **functions),
        _count("--skip", 0, "0", "Bus cycles to leave out before the window."),
        _count("--window", 1, "160", "Bus cycles to show."),
        _count("--columns", 1, "100", "The longest line."),
        _count("--scale", 1, "1", "Bus cycles to a column."),
        click.Option(["--out"], metavar="FILE", help="Write Trace Events instead of text."),
    ]
    return click.Command(
        "trace",
        callback=_trace,
        params=[*own, *shared],
        help=_HELP,
        short_help=_HELP.splitlines()[0],
    )


def _count(flag: str, least: int, default: str, text: str) -> click.Option:
    def convert(_ctx: click.Context, _flag: click.Parameter, value: Any) -> int:
        return parse_count(value, flag, least)

    return click.Option(
        [flag], metavar="N", default=default, show_default=True, callback=convert, help=text
    )


def _trace(
    *,
    function: str,
    machine: str,
    shared: int | None,
    private: int | None,
    no_fast_forward: bool,
    columns: int,
    scale: int,
    out: str | None,
    **parameters: Any,
) -> None:
    from cellstats.machine import machine as find_machine
    from cellstats.waveform import check

    if shared is not None and private is not None:
        raise UsageError(
            "-n and -N exclude each other; give -n for a shared or -N for private buffers"
        )
    check(columns, scale)
    trace = find_machine(machine).trace(
        function,
        spes=private if shared is None else shared,
        private=private is not None,
        fast_forward=not no_fast_forward,
        **parameters,
    )
    if out is None:
        sys.stdout.write(trace.waveform(columns, scale))
        sys.stdout.flush()
    else:
        trace.save(Path(out))
