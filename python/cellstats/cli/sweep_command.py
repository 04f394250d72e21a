"""`cellstats sweep`: measures a table over ranges of parameters."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from cellstats._native import RunError, UsageError
from cellstats.cli.engines import check_engine, engine_of
from cellstats.cli.exit_status import DISTURBED, DONE
from cellstats.cli.file_flags import WRITTEN_PATH
from cellstats.cli.flags import (
    flag_names,
    function_flag,
    measurement_flags,
    running_flags,
    strict_flag,
    which_function,
    words,
)
from cellstats.cli.help import Grouped
from cellstats.core.plain_flags import which_spes
from cellstats.core.terminal import show, width
from cellstats.core.words import file_name
from cellstats.host.disturbances import is_bad
from cellstats.measure.journal import Journal
from cellstats.measure.progress import Progress
from cellstats.measure.result import Measured
from cellstats.measure.sweeps import Row, rows_of
from cellstats.measure.workers import run_rows
from cellstats.show.sweep import check_drawable, sweep_figure
from cellstats.show.views import endings, find, in_words, names_of, of_file, save, write_file
from cellstats.single_runs import machine as find_machine

_HELP = """Measure FUNCTION for every combination of several values.

The flags are those of a plain measurement. A flag for a number accepts several here: a list
1,2,6, a range 1..8, or a list of ranges. A range of -n, -N or --seed has every number; a range of
any other flag doubles: 128..16k is 128, 256, 512 ... 16k. The range a..b:STEP adds STEP each time,
and a..b:*FACTOR (or a..b:xFACTOR, for shells that expand *) multiplies; no number exceeds b.
FUNCTION and flags that take words, such as --machine, take comma lists, and --placement may be
given more than once.

\b
  cellstats sweep dmaget -N 1..6 -b 128..16k -i 10k --plot dmaget.png
  cellstats sweep fetchadd,fetchset -n 1,2,4 --format csv
  cellstats sweep dmaput -n 6 -b 16..1k:16 -i 10k --out dmaput.parquet

On the host (--machine host), rows are measured one after the other, and --strict makes the exit
status 3 if any row is good to no better than a factor of 2.

The rows are in the order of nested loops: --machine outermost, then FUNCTION, then the flags as
listed below. If one row cannot be measured, no row is measured.

With --on, the workers of a running engine, perhaps on other computers, measure the rows; the
results are the same.

With --out, finished rows are kept in FILE.journal until all rows are finished. After Ctrl-C or a
crash, the same command continues from there. Without --out, Ctrl-C prints the finished rows.
"""


@click.command(cls=Grouped, help=_HELP)
@function_flag(many=True)
@measurement_flags(many=True, host=True)
@click.option(
    "--format",
    "form",
    metavar="FORM",
    help=f"{in_words('sweep')}, on stdout; by default table, or nothing with --out.",
    **words(names_of("sweep")),
)
@click.option(
    "--out",
    type=WRITTEN_PATH,
    metavar="FILE",
    help=f"Write the table to a file: {endings('sweep')}.",
)
@strict_flag()
@click.option(
    "--hosts-of-workers",
    is_flag=True,
    help="Host, with --on: measure the workers' computers, one row at a time on each.",
)
@running_flags(y="Draw latency or bandwidth; by default bandwidth where data moves.")
def sweep(**flags: Any) -> int:
    """Run `cellstats sweep`; returns the exit status."""
    return _sweep(**flags)


def _sweep(
    *,
    argument: str | None,
    function: str | None,
    machine: str,
    spes: str | None,
    private_spes: str | None,
    form: str | None,
    out: Path | None,
    plot: Path | None,
    y: str | None,
    jobs: int | None,
    on: str | None,
    hosts_of_workers: bool,
    progress: bool,
    no_fast_forward: bool,
    strict: bool,
    **parameters: Any,
) -> int:
    if form is not None:
        find("sweep", form)
    _check_files(out, plot, y)
    given = {**which_spes(spes, private_spes), **parameters, "fast_forward": not no_fast_forward}
    given = {name: value for name, value in given.items() if value is not None}
    called = flag_names(private=given["private"])
    rows = rows_of(which_function(argument, function), machine, given, called, find=find_machine)
    check_engine(on, jobs)
    if on is not None and not hosts_of_workers and any(row.machine.name == "host" for row in rows):
        raise UsageError(
            "--machine host with --on measures the computers of the workers; "
            "give --hosts-of-workers if that is meant"
        )
    if plot is not None and len(rows) == 1:
        raise UsageError("--plot of one row; give several values, as in -b 128..16k")

    journal = None
    if out is not None:
        journal = Journal(out.with_name(out.name + ".journal"), dict(enumerate(rows)))
        if journal.damaged:
            print(_damaged(journal), file=sys.stderr)
    results: dict[int, Measured] = {} if journal is None else journal.results
    try:
        _run(rows, results, journal, y=y, jobs=jobs, on=on, progress=progress)
    except KeyboardInterrupt:
        _give_up(results, len(rows), journal, form, interrupted=True)
        raise click.Abort from None  # on a KeyboardInterrupt, Click would print an empty line
    except RunError:
        _give_up(results, len(rows), journal, form, interrupted=False)
        raise
    except UsageError:  # raised by the engine, or because --y does not apply
        if journal is not None:
            journal.close()
        raise
    _deliver([results[number] for number in range(len(rows))], form, out, plot, y)
    # The journal is removed last, so that a failed plot does not lose the measured rows.
    if journal is not None:
        journal.remove()
    grades = (result.row().get("grade") for result in results.values())
    marked = strict and any(grade is not None and is_bad(str(grade)) for grade in grades)
    return DISTURBED if marked else DONE


def _damaged(journal: Journal) -> str:
    rows = f"row{'s' * (len(journal.damaged) > 1)} {', '.join(map(str, journal.damaged))}"
    return f"cellstats: {file_name(journal.path)}: {rows} damaged; measured again"


def _check_files(out: Path | None, plot: Path | None, y: str | None) -> None:
    if out is not None:
        of_file("sweep", out, "--out")
    if plot is not None:
        of_file("figure", plot, "--plot")
        check_drawable([], y)
    elif y is not None:
        raise UsageError("--y is for a plot; give --plot FILE too")


def _run(
    rows: list[Row],
    results: dict[int, Measured],
    journal: Journal | None,
    *,
    y: str | None,
    jobs: int | None,
    on: str | None,
    progress: bool,
) -> None:
    """Measure the rows that have no result yet."""
    missing = {number: row for number, row in enumerate(rows) if number not in results}
    with Progress(len(rows), len(results), always=progress) as bar:

        def finished(number: int, result: Measured) -> None:
            if journal is not None:
                journal.add(number, result)
            results[number] = result
            if y is not None:
                check_drawable([result], y)

        if missing:
            with engine_of(on) as executor:
                run_rows(missing, finished, executor=executor, jobs=jobs, bar=bar)


def _give_up(
    results: dict[int, Measured],
    total: int,
    journal: Journal | None,
    form: str | None,
    *,
    interrupted: bool,
) -> None:
    """Show the finished rows, or report the journal file that keeps them."""
    count = f"{len(results)} of {total} rows"
    if journal is not None:
        journal.close()
        kept = f"{count} are kept in {journal.path}; the same command goes on from there"
        note = kept if results else f"{count} are finished"
    else:
        if results:
            _show([results[number] for number in sorted(results)], form or "table")
        note = f"{count} are finished; with --out they would be kept"
    if interrupted:
        print(f"cellstats: interrupted, {note}", file=sys.stderr)


def _deliver(
    results: list[Measured], form: str | None, out: Path | None, plot: Path | None, y: str | None
) -> None:
    if out is not None:
        write_file("sweep", results, out, "--out")
    if form is not None or out is None:
        _show(results, form or "table")
    if plot is not None:
        save(sweep_figure(results, y), plot)


def _show(results: Iterable[Measured], form: str) -> None:
    more = {"width": width()} if form == "table" else {}
    show(find("sweep", form).write(list(results), **more), form)
    sys.stdout.flush()
