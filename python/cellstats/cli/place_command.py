"""`cellstats place`: finds a good placement of threads on SPEs or CPUs."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cellstats._native import UsageError
from cellstats.cli.command import Command
from cellstats.cli.engines import check_engine, engine_of
from cellstats.cli.exit_status import DISTURBED, DONE
from cellstats.cli.file_flags import PATTERN_FILE, READ, WRITTEN_PATH
from cellstats.cli.flags import (
    engine_flag,
    format_flag,
    machine_flags,
    named_flags,
    strict_flag,
    words,
)
from cellstats.core.parameters import named
from cellstats.core.pattern_pairs import NAMES
from cellstats.core.plain_flags import check_strict
from cellstats.core.quantities import parse_count
from cellstats.core.terminal import show, wants_colour
from cellstats.host.cpu_placement import HostPlaced
from cellstats.many_runs import place as find_placement
from cellstats.measure.best_placement import JUDGES, Placed
from cellstats.measure.progress import Progress
from cellstats.show import placement_figure
from cellstats.show.computer import check_here, placed_figure
from cellstats.show.views import endings, find, in_words, names_of, of_file, save
from cellstats.single_runs import machine as find_machine

_HELP = """Find the placement with which PATTERN takes the least time.

\b
  cellstats place ring --machine qs20 --cells 0 -b 64k
  cellstats place pipeline --machine ps3 -n 6 --by model
  cellstats place mine.csv --machine qs20 --format libspe2 > placement.c

PATTERN is one of `cellstats pattern show`, or a file. --by simulation runs PATTERN on every
placement if there are at most 50,000, as for 8 threads on 8 SPEs. Otherwise it runs PATTERN on some
hundred placements, from good ones to better ones. --evaluations sets another limit. --by model uses
the model of sudheer2009 with the rules of the data arbiter, which estimates quickly. The model's
placement is simulated once, and is the result only if it takes no longer than the threads in the
order of the machine's SPEs.

The output shows the placement, and its time beside the times of named affinities and of random
placements. It also shows a lower bound: the time for which SPEs, memory and the interface between
Cells are busy on every placement.

PATTERN may be a communication matrix of a profiler, such as ranks.csv. If it has more threads than
there are SPEs or CPUs, threads that exchange most share one, and the output lists them.

With --machine host, the result is a CPU for each thread, such that all messages together cost
least. The cost of a message comes from matrices of this computer, which are either measured now or
read from files that cellstats matrix --format json wrote. Each matrix, and the runs of --verify,
may take a --budget of time, 30s by default.

\b
  cellstats place ring --machine host -b 64k --verify
  cellstats place mine.csv --machine host --matrix mailbox.json --matrix dmaget.json
  cellstats place ranks.csv --machine host --format rankfile
"""

_SOONER = (
    "cellstats: --evaluations 200 would end sooner, often with a placement that is nearly as good"
)
"""Whoever waits long is told this."""


def _count(flag: str) -> Callable[..., int | None]:
    return lambda _ctx, _flag, text: None if text is None else parse_count(text, flag)


def _seed(_ctx: click.Context, _flag: click.Parameter, text: str) -> int:
    return parse_count(text, "--seed", 0)


def _word(name: str) -> dict[str, Any]:
    parameter = named(name)
    assert parameter is not None
    return {"metavar": parameter.metavar, **words(parameter.words)}


@click.command(cls=Command, help=_HELP)
@click.argument("pattern", metavar="PATTERN", required=False, type=PATTERN_FILE, **words(NAMES))
@machine_flags()
@click.option(
    "--by",
    metavar="JUDGE",
    help="How placements are compared: simulation (the default) or model; on the host, matrix.",
    **words((*JUDGES, "matrix")),
)
@click.option(
    "-n", "threads", metavar="THREADS", callback=_count("-n"), help="Threads; by default 8."
)
@click.option(
    "-b",
    "size",
    metavar="SIZE",
    help="Bytes of a message, 16k by default; of each message that a matrix counts.",
)
@click.option("--cells", help="Cells whose SPEs are used; by default all.", **_word("cells"))
@click.option(
    "--memory",
    help="Cell whose memory is used, or both in turn; by default 0.",
    **_word("memory"),
)
@click.option(
    "--evaluations",
    metavar="N",
    callback=_count("--evaluations"),
    help="Maximum number of placements to try; all are tried if there are no more.",
)
@click.option(
    "--settle",
    is_flag=True,
    help="Compare good placements by long runs that end once they have settled.",
)
@click.option(
    "--seed", metavar="SEED", default="0", callback=_seed, help="Seed of the random placements."
)
@click.option("--jobs", metavar="J", callback=_count("--jobs"), help="Concurrent simulations.")
@engine_flag()
@click.option("--spes", "cpus", metavar="LIST", help="Host: CPUs to choose from, such as 0-7.")
@click.option(
    "--matrix",
    "matrices",
    metavar="FILE",
    type=READ,
    multiple=True,
    help="Host: a matrix of mailboxes or of copies, as JSON; or one of each.",
)
@named_flags("budget")
@click.option(
    "--verify",
    is_flag=True,
    help="Host: run and compare the pattern on the found, identity and worst placements.",
)
@strict_flag()
@click.option(
    "--plot", type=WRITTEN_PATH, metavar="FILE", help=f"Draw the placement: {endings('figure')}."
)
@format_flag(
    "placement",
    "SPE binding",
    "CPU binding",
    text=f"{in_words('placement', 'SPE binding')}; "
    f"with --machine host {in_words('placement', 'CPU binding')}.",
)
def place(**flags: Any) -> int:
    """Run `cellstats place`; returns the exit status."""
    return _place(**flags)


def _place(
    *,
    pattern: str | None,
    machine: str,
    form: str,
    plot: Path | None,
    strict: bool,
    on: str | None,
    **parameters: Any,
) -> int:
    if pattern is None:
        raise UsageError(f"no pattern given; give a file, or one of {', '.join(NAMES)}")
    _check_form(form, machine)
    check_engine(on, parameters["jobs"], machine)
    if machine == "host":
        return _on_host(pattern, form, plot, strict, parameters)
    check_strict(strict, machine)
    if plot is not None:
        of_file("figure", plot, "--plot")
    found = find_machine(machine)
    if on is not None and parameters["by"] == "model":
        raise UsageError(
            "--on is for many simulations, but --by model makes only two; leave one flag out"
        )
    hint = "" if parameters["evaluations"] is not None else _SOONER
    try:
        with engine_of(on) as executor, Progress(what="placements", meanwhile=hint) as bar:
            own = {**parameters, "executor": executor}
            placed = find_placement(pattern, machine=found, advance=bar.reach, **own)
    except KeyboardInterrupt as interrupt:
        raise _interrupted(str(interrupt) or "no placement was simulated") from None
    if plot is not None:
        save(placement_figure.rings_figure(placed), plot)
    if form in names_of("placement"):
        text = _written(form, placed)
    else:
        text = find("SPE binding", form).write(found, placed.placement)
    show(text.rstrip("\n") + "\n", form, has_colours=form == "text")
    return DONE


def _interrupted(so_far: str) -> click.Abort:
    """Say what Ctrl-C left. On a KeyboardInterrupt, Click would print an empty line instead."""
    print(f"cellstats: interrupted, {so_far}", file=sys.stderr)
    return click.Abort()


def _written(form: str, placed: Placed | HostPlaced) -> str:
    more = {"colour": wants_colour()} if form == "text" else {}
    text: str = find("placement", form).write(placed, **more)
    return text


def _check_form(form: str, machine: str) -> None:
    forms = names_of("placement", "CPU binding" if machine == "host" else "SPE binding")
    if form not in forms:
        raise UsageError(f"--format {form}: for {machine} give one of {', '.join(forms)}")


def _on_host(
    pattern: str, form: str, plot: Path | None, strict: bool, parameters: dict[str, Any]
) -> int:
    """Place threads on this computer's CPUs; returns the exit status."""
    if plot is not None:
        of_file("figure", plot, "--plot")
        check_here(parameters["matrices"])
    try:
        with Progress(what="steps") as bar:
            placed = find_placement(pattern, machine="host", advance=bar.reach, **parameters)
    except KeyboardInterrupt:
        raise _interrupted("the computer was not measured to the end") from None
    if plot is not None:
        save(placed_figure(placed), plot)
    if form in names_of("placement"):
        text = _written(form, placed)
    else:
        text = find("CPU binding", form).write(placed.cpu_of_threads, placed.nodes) + "\n"
    show(text, form, has_colours=form == "text")
    return DISTURBED if strict and placed.disturbed else DONE
