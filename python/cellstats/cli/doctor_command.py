"""`cellstats doctor`: causes of disturbed measurements on this computer, and remedies."""

import click

from cellstats._native import UsageError
from cellstats.cli.command import Command
from cellstats.cli.exit_status import DISTURBED, DONE
from cellstats.cli.flags import format_flag
from cellstats.core.terminal import show
from cellstats.host.doctor import examine
from cellstats.host.environment import read_environment
from cellstats.host.host_machine import HostMachine
from cellstats.show.views import find

_HELP = """Find what would disturb measurements on this computer, and how to fix it.

The command examines the processor's clock, counters and frequencies, SMT, load, virtual machines,
containers and their limits, huge pages, batteries, and heat. It changes nothing. The exit status is
0 if nothing would disturb a measurement (there may be hints), and 3 otherwise. The last lines say
what to do about each reason that a result may give for its grade.

\b
  cellstats doctor
  cellstats doctor --format json
"""


@click.command(cls=Command, help=_HELP)
@click.option(
    "--machine",
    metavar="NAME",
    default="host",
    show_default=True,
    help="Only host can be examined.",
)
@format_flag("trouble")
def doctor(machine: str, form: str) -> int:
    """Run `cellstats doctor`; returns the exit status."""
    if machine != "host":
        raise UsageError(f"doctor of {machine!r}: only the host can be examined, leave it out")
    host = HostMachine()
    environment = read_environment(host.tree, host.topology)
    findings = examine(host, environment)
    show(find("trouble", form).write(findings, environment), form)
    return DISTURBED if any(each.spoils for each in findings) else DONE
