"""`cellstats host`: a first picture of this computer."""

import sys
from pathlib import Path

import click

from cellstats.cli.command import Command
from cellstats.cli.exit_status import DISTURBED, DONE
from cellstats.cli.file_flags import WRITTEN_PATH
from cellstats.cli.flags import format_flag, strict_flag
from cellstats.core.quantities import parse_count
from cellstats.core.terminal import show
from cellstats.host.survey import BUDGET, overview
from cellstats.measure.progress import Progress
from cellstats.show.views import endings, find, of_file, save

_HELP = f"""Measure a first picture of this computer, in less than a minute.

Shows the levels of memory and the latency of a load from each, what translations of addresses cost,
the bandwidth of loads, stores and copies in each level and of all cores in memory, the latency of
memory while other cores load, and the round trips of messages between CPUs. The levels are found in
a curve of latency over the size of the working set; `reported` is what the operating system says.

All numbers share the --budget ({BUDGET} by default). Each has a grade; marks in the text and in the
picture say which numbers are good to within a factor of 2 only, or not to be used.

\b
  cellstats host
  cellstats host --quick
  cellstats host --plot computer.png
  cellstats host --cpu 8 --budget 2m --format json

Measure one of the numbers more closely:

\b
  cellstats -f load --machine host --chase lines --working-set 64k --pages huge
  cellstats sweep load --machine host --chase lines --working-set 4k..64m --plot curve.png
  cellstats -f load --machine host --chase lines --level memory --background copy --rate 5
  cellstats -f copy --machine host --level memory --mix 2:1 -n 4
"""


@click.command(cls=Command, help=_HELP)
@click.option(
    "--cpu", metavar="CPU", help="The CPU whose loads are measured; by default the first."
)
@click.option("--budget", metavar="TIME", help=f"Time for all measurements, by default {BUDGET}.")
@click.option(
    "--quick", is_flag=True, help="Only levels, simple bandwidths and messages, in a second."
)
@format_flag("overview")
@click.option(
    "--plot", type=WRITTEN_PATH, metavar="FILE", help=f"Draw the picture: {endings('figure')}."
)
@strict_flag()
@click.option("--progress", is_flag=True, help="Show progress even if stderr is no terminal.")
def host(
    cpu: str | None,
    budget: str | None,
    quick: bool,
    form: str,
    plot: Path | None,
    strict: bool,
    progress: bool,
) -> int:
    """Run `cellstats host`; returns the exit status."""
    found = find("overview", form)
    if plot is not None:
        of_file("figure", plot, "--plot")
    number = None if cpu is None else parse_count(cpu, "--cpu", least=0)
    with Progress(always=progress, what="ms of the budget") as bar:
        measured = overview(cpu=number, budget=budget, quick=quick, progress=bar.reach)
    show(found.write(measured), form)
    sys.stdout.flush()
    if plot is not None:
        save(measured.plot(), plot)
    return DISTURBED if strict and measured.is_bad() else DONE
