"""`cellstats watch`: writes a page that plays a measurement in a browser."""

import os
import re
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from cellstats._native import UsageError
from cellstats.cli.file_flags import READ, WRITTEN
from cellstats.cli.flags import count_flag, function_flag, measurement_flags, which_function
from cellstats.cli.help import Grouped
from cellstats.core.display import Page
from cellstats.core.plain_flags import which_spes
from cellstats.show.page import (
    check_page_file,
    page_of_lesson,
    page_of_lessons,
    show_in_browser,
)
from cellstats.single_runs import machine as find_machine

_HELP = """Write a page that plays a measurement in a browser, bus cycle by bus cycle.

FUNCTION and the flags are those of a plain measurement; the window begins where the window of
cellstats trace begins. The page is one file that contains the simulator. It needs neither CellStats
nor the network, and you can change the measurement in it. The path of the file is printed.

Without any argument, the page opens in the browser with its lessons, which begin with the question
what a Cell is.

\b
  cellstats watch
  cellstats watch couples -n 6 --open
  cellstats watch dmaget -n 8 -b 16k --machine eval-board --window 10k
  cellstats watch -f cycle -n 4 -b 1k --skip 5k --at 5200 --out cycle.html
  cellstats watch --lesson mine.toml --open
"""


@click.command(cls=Grouped, help=_HELP, short_help=_HELP.splitlines()[0])
@function_flag(many=False)
@measurement_flags()
@count_flag("--skip", "Bus cycles to leave out before the window.", least=0, default="0")
@count_flag("--window", "Bus cycles to play, 200k at most.", default="4k")
@count_flag("--at", "Bus cycle to show first; by default the page chooses.", least=0)
@click.option(
    "--out", metavar="FILE", type=WRITTEN, help="The page; by default FUNCTION-MACHINE.html."
)
@click.option(
    "--lesson",
    metavar="FILE",
    type=READ,
    help="Open the page with this lesson instead of a measurement; every claim in it is checked.",
)
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
def watch(**flags: Any) -> None:
    """Run `cellstats watch`."""
    _watch(**flags)


def _watch(
    *,
    argument: str | None,
    function: str | None,
    machine: str,
    spes: int | None,
    private_spes: int | None,
    out: str | None,
    lesson: str | None,
    opened: bool,
    **parameters: Any,
) -> None:
    if out is not None:
        check_page_file(Path(out), "--out")
    of_measurement = _given_of_measurement()
    if lesson is not None:
        if of_measurement is not None:
            raise UsageError(f"--lesson with {of_measurement}: a lesson names its own measurements")
        _write(_of_lesson(lesson), out or f"{Path(lesson).stem}.html", opened)
        return
    if of_measurement is None:
        _write_lessons(out, opened)
        return
    measured, target = which_function(argument, function), find_machine(machine)
    page = target.watch(measured, **which_spes(spes, private_spes), **parameters)
    _write(page, out or _file_name(measured, target.name), opened)


def _given_of_measurement() -> str | None:
    """The first argument or flag on the command line that a measurement takes."""
    context = click.get_current_context()
    for flag in context.command.params:
        given = context.get_parameter_source(flag.name or "") is ParameterSource.COMMANDLINE
        if given and flag.name not in ("lesson", "out", "opened"):
            return flag.opts[0]
    return None


def _write_lessons(out: str | None, opened: bool) -> None:
    """Write the page with its lessons. Without `out`, it opens, if there is a browser."""
    _write(page_of_lessons(), out or "lessons.html", opened)
    if out is None and not opened:
        try:
            show_in_browser(Path("lessons.html"))
        except UsageError as error:
            click.echo(f"cellstats: {error}", err=True)


def _of_lesson(path: str) -> Page:
    # Without a lesson, the command need not load the code that checks one.
    from cellstats.lessons import check, read_lesson
    from cellstats.lessons.lesson import located

    lesson = read_lesson(path)
    with located(repr(path)):
        check(lesson)
    return page_of_lesson(lesson)


def _write(page: Page, name: str, opened: bool) -> None:
    path = Path(name)
    page.save(path)
    click.echo(os.fsencode(path))  # prints the path's bytes, in any locale
    if opened:
        show_in_browser(path)


def _file_name(function: str, machine: str) -> str:
    """The default file name of the page. Unusual letters in the machine's name become "-"."""
    return f"{function}-{re.sub(r'[^0-9A-Za-z._-]+', '-', machine)}.html"
