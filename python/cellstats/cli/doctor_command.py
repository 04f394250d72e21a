"""`cellstats doctor`: what on this computer would spoil a measurement, and how to mend it."""

import json
import sys
from dataclasses import asdict

import click

from cellstats._native import UsageError
from cellstats.cli.flags import format_flag, known_form

_HELP = """Say what on this computer would spoil a measurement, and how to mend it.

Looked at are the processor's clock and frequencies, SMT, load, virtual machines, containers and
their limits, huge pages, batteries, and heat. Nothing is changed. Exit status: 0 if nothing would
spoil a measurement (there may be hints), 3 otherwise.

\b
  cellstats doctor
  cellstats doctor --format json
"""
_FORMS = ("text", "json")


@click.command(help=_HELP)
@click.option(
    "--machine", metavar="NAME", default="host", show_default=True, help="Only host can be ill."
)
@format_flag(_FORMS, "text or json (one object).", callback=known_form(_FORMS))
def doctor(machine: str, form: str) -> int:
    """The command; its help is above."""
    from cellstats.cli.exit_status import DISTURBED, DONE
    from cellstats.host.doctor import examine
    from cellstats.host.environment import digest, read_environment
    from cellstats.host.host_machine import HostMachine
    from cellstats.text.printable import printable

    if machine != "host":
        raise UsageError(f"doctor of {machine!r}: only the host can be examined, leave it out")
    host = HostMachine()
    environment = read_environment(host.tree, host.topology)
    findings = examine(host, environment)
    if form == "json":
        whole = {"findings": [asdict(each) for each in findings], "environment": environment}
        sys.stdout.write(json.dumps(whole, ensure_ascii=False) + "\n")
    else:
        lines = [digest(environment)]
        for each in findings:
            head = "spoils" if each.spoils else "hint"
            lines += ["", f"{head}: {each.what}", f"  why:  {each.why}", f"  mend: {each.mend}"]
        if not findings:
            lines += ["", "Nothing was found that would spoil a measurement."]
        sys.stdout.write(printable("\n".join(lines) + "\n"))
    return DISTURBED if any(each.spoils for each in findings) else DONE
