"""`cellstats machine`: lists machines, shows one, or compares two."""

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from cellstats import _native
from cellstats._native import UsageError
from cellstats.cli.command import Group
from cellstats.cli.file_flags import MACHINE_FILE, WRITTEN_PATH
from cellstats.cli.flags import format_flag, words
from cellstats.core import terminal
from cellstats.core.machine import is_file
from cellstats.core.words import did_you_mean
from cellstats.host.computer import computer
from cellstats.host.host_machine import HostMachine
from cellstats.measure.machine import Machine
from cellstats.show.computer import computer_figure
from cellstats.show.machine import BASES
from cellstats.show.views import endings, find, of_file, save
from cellstats.single_runs import machine as find_machine

_HELP = """List machines, show one, or compare two.

\b
  cellstats machine list
  cellstats machine show qs20
  cellstats machine show my-machine.toml --basis fitted,assumed
  cellstats machine show host --plot computer.svg
  cellstats machine diff ps3 qs20
"""

_SHOW_HELP = """Show a machine: every value, and its source.

MACHINE is one of `cellstats machine list`, a .toml file, one of both with other values, as in
'ps3 eib.hop_bus_cycles=2', or host. For host, the packages, NUMA
nodes, caches, cores and CPUs of this computer are shown as nested boxes. For a simulated machine,
each value is shown with its unit and its basis:

\b
  documented  written in a manual, a paper or the source code of the time
  measured    measured on a real machine
  derived     computed from documented or measured values
  fitted      chosen so that the simulator reproduces published results
  assumed     a reasonable guess; no public source states it
  mine        chosen by you, by --set or in your file

Fitted and assumed values have a range that should contain the true value. The drawing shows the
elements of the ring, clockwise. SPEs in parentheses exist, but programs cannot use them.
"""

_DIFF_HELP = """Show the values that differ between two machines.

A and B are machines of `cellstats machine list`, or .toml files. JSON and CSV include the basis,
range and source of both values, as -v does.
"""

_MACHINES = tuple(_native.machine_names())

Command = TypeVar("Command", bound=Callable[..., Any])


class _Actions(Group):
    """Sub-commands; a machine's name in place of a sub-command is refused with a message."""

    def refuse(self, name: str) -> None:
        if name in (*_MACHINES, *_native.machine_bases(), "host") or is_file(name):
            raise UsageError(f"{name} is a machine; write cellstats machine show {name}")


@click.group(
    cls=_Actions,
    help=_HELP,
    short_help="List machines, show one, or compare two.",
    invoke_without_command=True,
    subcommand_metavar="COMMAND",
)
@click.pass_context
def machine(ctx: click.Context) -> None:
    """Run `cellstats machine`, which needs a sub-command."""
    if ctx.invoked_subcommand is None:
        raise UsageError("nothing to do; give cellstats machine list, show or diff")


def _machine_argument(
    name: str, shown: str, known: Sequence[str] = _MACHINES
) -> Callable[[Command], Command]:
    return click.argument(name, metavar=shown, required=False, type=MACHINE_FILE, **words(known))


_format_flag = format_flag("machine")


def _which_bases(_ctx: click.Context, flag: click.Parameter, text: str | None) -> tuple[str, ...]:
    chosen = BASES if text is None else tuple(word.strip() for word in text.split(","))
    for word in chosen:
        if word not in BASES:
            raise UsageError(f"{flag.opts[0]} {word!r}: {did_you_mean(word, BASES)}")
    return chosen


@machine.command("list")
@_format_flag
def list_machines(form: str) -> None:
    """List the machines that come with CellStats."""
    _write(find("machines", form).write([_find(name) for name in _MACHINES]), form)


@machine.command(help=_SHOW_HELP, short_help=_SHOW_HELP.splitlines()[0])
@_machine_argument("name", "MACHINE", (*_MACHINES, "host"))
@click.option(
    "--basis",
    "bases",
    metavar="LIST",
    callback=_which_bases,
    help="Only values with one of these bases; fitted,assumed are the guesses.",
    **words(BASES, many=True),
)
@_format_flag
@click.option(
    "--plot", type=WRITTEN_PATH, metavar="FILE", help=f"Draw the host: {endings('figure')}."
)
def show(name: str | None, bases: Sequence[str], form: str, plot: Path | None) -> None:
    """Run `cellstats machine show`."""
    if name == "host":
        _show_host(bases, form, plot)
        return
    if plot is not None:
        raise UsageError("--plot draws host; cellstats place --plot draws a Cell")
    found = _find(name, "host, ")
    width = (_width(),) if form == "text" else ()
    _write(find("machine", form).write(found, bases, *width), form)


@machine.command(help=_DIFF_HELP, short_help=_DIFF_HELP.splitlines()[0])
@_machine_argument("a", "A")
@_machine_argument("b", "B")
@click.option("-v", "--verbose", is_flag=True, help="Add basis and source of both values.")
@_format_flag
def diff(a: str | None, b: str | None, verbose: bool, form: str) -> None:
    """Run `cellstats machine diff`."""
    one, other = _find(a), _find(b)

    more = (verbose, _width()) if form == "text" else ()
    _write(find("difference", form).write(one, other, *more), form)


def _show_host(bases: Sequence[str], form: str, plot: Path | None) -> None:
    """Show this computer as nested boxes."""
    if bases != BASES:
        raise UsageError("--basis with host: all values of the host are measured; leave it out")
    if plot is not None:
        of_file("figure", plot, "--plot")
    host = HostMachine()
    found = computer(host.tree, host.topology)
    _write(find("computer", form).write(found, *((_width(),) if form == "text" else ())), form)
    sys.stdout.flush()
    if plot is not None:
        save(computer_figure(found, found.environment["cpu_model"] or "this computer"), plot)


def _find(name: str | None, more: str = "") -> Machine:
    if name is None:
        known = f"{', '.join(_MACHINES)}, {more}or a .toml file"
        raise UsageError(f"no machine given; give one of {known}")
    return find_machine(name)


def _width() -> int:
    """Length of text lines in characters: the terminal's width, but at least 80, at most 120."""
    return min(max(shutil.get_terminal_size().columns, 80), 120)


def _write(text: str, form: str) -> None:
    terminal.show(text, form)
