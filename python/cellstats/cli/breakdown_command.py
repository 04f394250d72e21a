"""`cellstats breakdown`: the time of one DMA, stage by stage."""

from typing import Any

import click

from cellstats.cli.command import Command
from cellstats.cli.flags import format_flag, function_flag, named_flags, which_function
from cellstats.core.terminal import show
from cellstats.show.views import find
from cellstats.single_runs import machine as find_machine

_HELP = """Split the latency of one DMA into its stages.

FUNCTION is dmaget, dmaput, dmalistget or dmalistput; the flags are those of a plain measurement.
Without FUNCTION, the DMA is a put between two local stores, as with dmaput -s. The stages come from
the DMA's recorded events. One SPE transfers while the rest of the machine is idle, and its earlier
DMAs are complete.

\b
  DMA issue           the SPU writes the command's channels
  DMA to EIB          from the MFC's queue to the first bus request
  list element fetch  until the first element of a list has arrived
  coherence protocol  command phase: from the bus request to the combined response
  data transfer       until the first line has arrived at its destination
  chip-to-chip interface and onward transfer
                      for a line to the other chip: from the ring of its own
                      chip to the other ring, and on that to its destination
  further lines       until all other lines have arrived
  completion          until the SPU has read the tag status

The components add up to the total. kistler2006, Table 1, counts the completion as part of the data
transfer.

\b
  cellstats breakdown --machine eval-board
  cellstats breakdown dmaget -b 16k
  cellstats breakdown dmalistput -b 128 -l 4 -s --format csv
  cellstats breakdown --spes 0,8 --machine qs20
"""


@click.command(cls=Command, help=_HELP, short_help=_HELP.splitlines()[0])
@function_flag(many=False, known=("dmaget", "dmaput", "dmalistget", "dmalistput"))
@named_flags(
    "size", "list_elements", "spe_to_spe", "machine", "cells", "memory", "placement", "seed"
)
@format_flag("breakdown", at_once=False)
def breakdown(**flags: Any) -> None:
    """Run `cellstats breakdown`."""
    _breakdown(**flags)


def _breakdown(
    *, argument: str | None, function: str | None, machine: str, form: str, **parameters: Any
) -> None:
    form_of_breakdown = find("breakdown", form)
    given = argument is not None or function is not None
    name = which_function(argument, function) if given else None
    apart = find_machine(machine).breakdown(name, **parameters)
    show(form_of_breakdown.write(apart), form)
