"""`cellstats matrix`: measures one FUNCTION between every two SPEs."""

import sys
from pathlib import Path
from typing import Any

import click

from cellstats._native import UsageError
from cellstats.cli.engines import check_engine, engine_of
from cellstats.cli.exit_status import DISTURBED, DONE
from cellstats.cli.flags import (
    format_flag,
    function_flag,
    named_flags,
    running_flags,
    strict_flag,
    which_function,
)
from cellstats.cli.help import Grouped
from cellstats.core.parameters import simulated
from cellstats.core.plain_flags import check_strict
from cellstats.core.refusal import refusal
from cellstats.core.terminal import show, wants_colour, width
from cellstats.host.matrices import QUICK_BUDGET, HostMatrix, measure_matrix
from cellstats.measure.matrices import MATRIX_FUNCTIONS, Matrix, assemble, check_quantity, pairs
from cellstats.measure.progress import Progress
from cellstats.measure.result import Result
from cellstats.measure.workers import run_rows
from cellstats.show.matrix_figure import matrix_figure
from cellstats.show.views import Format, find, of_file, save

_HELP = """Measure FUNCTION between every two SPEs: a matrix.

FUNCTION is mailbox, signal, dmaget or dmaput. Every pair of SPEs is measured separately, as with
-s -n 2 --placement A,B. Each row is an SPE that begins (the initiator), and each column a partner,
both by their physical numbers. The initiator of a DMA transfers to or from the partner's local
store, so the partner is thread 0, which holds the buffer, and the initiator is thread 1. With
mailboxes and signals, the initiator sends first.

\b
  cellstats matrix -f mailbox --machine eval-board --plot mailbox.png
  cellstats matrix -f dmaget -b 16k --batch 16 --y bandwidth
  cellstats matrix -f mailbox --machine qs20 --cells 1

With --machine host, every two usable CPUs of this computer are measured, in the order of packages,
NUMA nodes, shared caches and cores, within a --budget of time. The command ends after 10 s if all
pairs are known to within 1 %. Mailboxes and signals go through memory only, unless --ppe says
otherwise. Pairs that the budget does not cover, or whose numbers are not to be used, are filled in
and marked. With --strict, the exit status is 3 if a pair is known to a factor of 2 only, or less.

\b
  cellstats matrix -f mailbox --machine host --quick
  cellstats matrix -f dmaget -b 4k --y bandwidth --machine host --budget 2m --spes 0-15
"""


@click.command(cls=Grouped, help=_HELP)
@function_flag(many=False, known=MATRIX_FUNCTIONS)
@named_flags(
    "iterations", "size", "ppe", "machine", "batch", "cells", "placement", "non_temporal", "budget"
)
@click.option(
    "--quick",
    is_flag=True,
    help=f"Host: a first answer, {QUICK_BUDGET} unless --budget says otherwise.",
)
@strict_flag()
@format_flag("matrix", at_once=False)
@running_flags(y="Quantity: latency (the default) or bandwidth.")
def matrix(**flags: Any) -> int | None:
    """Run `cellstats matrix`; returns the exit status."""
    return _matrix(**flags)


def _matrix(
    *,
    argument: str | None,
    function: str | None,
    machine: str,
    form: str,
    plot: Path | None,
    y: str | None,
    jobs: int | None,
    on: str | None,
    progress: bool,
    no_fast_forward: bool,
    quick: bool,
    strict: bool,
    **parameters: Any,
) -> int | None:
    found = find("matrix", form)
    if plot is not None:
        of_file("figure", plot, "--plot")
    name = which_function(argument, function, MATRIX_FUNCTIONS)
    quantity = y or "latency"
    check_engine(on, jobs, machine)
    if machine == "host":
        if jobs is not None or no_fast_forward:
            flag = "--no-fast-forward" if jobs is None else "--jobs"
            raise UsageError(f"{flag} is for simulated machines; leave it out")
        if quick and parameters["budget"] is None:
            parameters["budget"] = QUICK_BUDGET
        return _host(name, quantity, found, plot, progress, strict, parameters)
    if quick:
        raise UsageError(f"--quick is for a matrix of the host; {machine} is simulated")
    check_strict(strict, machine)
    parameters = simulated(parameters)
    for keyword, given in (
        ("ppe", parameters.pop("ppe") != "library"),
        ("placement", parameters.pop("placement")),
    ):
        if given:
            raise refusal(f"{{{keyword}}} is for a matrix of the host; leave it out")
    check_quantity(quantity, name)
    rows = pairs(name, machine, parameters | {"fast_forward": not no_fast_forward})
    results: dict[tuple[int, int], Result] = {}
    with Progress(len(rows), always=progress) as bar, engine_of(on) as executor:
        run_rows(rows, results.__setitem__, executor=executor, jobs=jobs, bar=bar)
    measured = assemble({pair: results[pair] for pair in rows}, quantity)
    _show(found, measured)
    sys.stdout.flush()
    if plot is not None:
        save(matrix_figure(measured), plot)
    return None


def _show(form: Format, measured: Matrix | HostMatrix) -> None:
    more = {"colour": wants_colour(), "width": width()} if form.name == "table" else {}
    show(form.write(measured, **more), form.name, has_colours=form.name == "table")


def _host(
    function: str,
    quantity: str,
    form: Format,
    plot: Path | None,
    progress: bool,
    strict: bool,
    parameters: dict[str, Any],
) -> int:
    """Measure a matrix of this computer's CPUs; returns the exit status."""
    with Progress(always=progress, what="ms of the budget") as bar:
        measured = measure_matrix(function, y=quantity, progress=bar.reach, **parameters)
    _show(form, measured)
    sys.stdout.flush()
    if plot is not None:
        save(matrix_figure(measured), plot)
    return DISTURBED if strict and measured.bad() else DONE
