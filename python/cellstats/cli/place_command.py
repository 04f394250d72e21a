"""`cellstats place`: which thread on which SPE."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cellstats._native import UsageError
from cellstats.cli.command import Command
from cellstats.cli.engine_flags import check_engine, engine_flag, engine_of
from cellstats.cli.file_flags import MACHINE_FILE, PATTERN_FILE, READ, WRITTEN_PATH
from cellstats.cli.flag_values import check_strict
from cellstats.cli.flags import (
    format_flag,
    named_flags,
    strict_flag,
    words,
)
from cellstats.export.formats import find, names_of, of_file
from cellstats.measure.quantities import parse_count
from cellstats.parameters import MACHINE, named
from cellstats.placement.best_placement import JUDGES
from cellstats.placement.pattern_pairs import NAMES
from cellstats.text.printable import printable

_HELP = """Find the SPE of each thread with which PATTERN takes the least time.

\b
  cellstats place ring --machine qs20 --cells 0 -b 64k
  cellstats place pipeline --machine ps3 -n 6 --by model
  cellstats place mine.csv --machine qs20 --format libspe2 > placement.c

PATTERN is one of `cellstats pattern show`, or a file. By simulation, it is run on every placement
if there are no more than 50,000, as of 8 threads on 8 SPEs; of more, some hundred are tried, from
good ones to better ones. The model is that of sudheer2009 with the rules of the data arbiter:
quick, and an estimate.

The answer is the placement, and its time beside those of affinities that have a name and of random
ones. What no placement takes less than is how long SPEs, memory and the interface between Cells
are busy at least.

With --machine host it is the CPU of each thread, so that all messages together cost least by
matrices of this computer: measured now, or files that cellstats matrix --format json wrote. Each
matrix may take a --budget of time, 30s by default, and so may the runs of --verify.

\b
  cellstats place ring --machine host -b 64k --verify
  cellstats place mine.csv --machine host --matrix mailbox.json --matrix dmaget.json
"""


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
@click.option(
    "--machine",
    metavar=MACHINE.metavar,
    type=MACHINE_FILE,
    default=MACHINE.default,
    show_default=True,
    help=MACHINE.help,
    **words(MACHINE.words),
)
@click.option(
    "--by",
    metavar="JUDGE",
    help="simulation (as by default) or model; on the host matrix.",
    **words((*JUDGES, "matrix")),
)
@click.option("-n", "threads", metavar="THREADS", callback=_count("-n"), help="By default 8.")
@click.option("-b", "size", metavar="SIZE", help="Bytes of a message, 16k by default.")
@click.option("--cells", help="Whose SPEs; by default all.", **_word("cells"))
@click.option(
    "--memory",
    help="Which Cell's memory, or both in turn; by default 0.",
    **_word("memory"),
)
@click.option(
    "--evaluations",
    metavar="N",
    callback=_count("--evaluations"),
    help="Try so many placements at most, where not all are tried.",
)
@click.option(
    "--seed", metavar="SEED", default="0", callback=_seed, help="Chooses the random placements."
)
@click.option("--jobs", metavar="J", callback=_count("--jobs"), help="Simulations at a time.")
@engine_flag()
@click.option("--spes", "cpus", metavar="LIST", help="Host: CPUs to choose from, such as 0-7.")
@click.option(
    "--matrix",
    "matrices",
    metavar="FILE",
    type=READ,
    multiple=True,
    help="Host: a matrix of the host as JSON, of mailboxes or of copies; or one of each.",
)
@named_flags("budget")
@click.option(
    "--verify",
    is_flag=True,
    help="Host: run the pattern as found, as identity and as the worst, and say what is gained.",
)
@strict_flag()
@click.option("--plot", type=WRITTEN_PATH, metavar="FILE", help="Draw it: .png, .svg or .pdf.")
@format_flag(
    "placement",
    "SPE binding",
    "CPU binding",
    text="text, json, list (as --placement takes it), libspe2 (C) or environment (a line of "
    "shell); of the host not libspe2, but openmp, taskset, numactl and rankfile (Open MPI).",
)
def place(**flags: Any) -> int:
    """The command; its help is above."""
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
    from cellstats.cli.exit_status import DONE
    from cellstats.machine import machine as find_machine
    from cellstats.measure.progress import Progress
    from cellstats.placement.best_placement import place

    if pattern is None:
        raise UsageError(f"which pattern? Give a file, or one of {', '.join(NAMES)}")
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
            "--on is for simulations, and --by model makes none; leave one of them out"
        )
    with engine_of(on) as executor, Progress(what="placements") as bar:
        own = {**parameters, "executor": executor}
        placed = place(pattern, machine=found, advance=bar.reach, **own)
    if plot is not None:
        from cellstats.draw import placement_figure
        from cellstats.draw.figure_files import save
        from cellstats.placement.pattern_choice import pattern as find_pattern

        drawn = find_pattern(pattern, placed.threads, parameters["size"])
        picture = placement_figure.figure(
            found, drawn, placed.placement, cells=placed.cells, memory=placed.memory
        )
        save(picture, plot)
    if form in names_of("placement"):
        text = find("placement", form).write(placed)
    else:
        text = find("SPE binding", form).write(found, placed.placement)
    sys.stdout.write(printable(text.rstrip("\n") + "\n"))
    return DONE


def _check_form(form: str, machine: str) -> None:
    forms = names_of("placement", "CPU binding" if machine == "host" else "SPE binding")
    if form not in forms:
        raise UsageError(f"--format {form}: for {machine} give one of {', '.join(forms)}")


def _on_host(
    pattern: str, form: str, plot: Path | None, strict: bool, parameters: dict[str, Any]
) -> int:
    """A placement on this computer's CPUs; answers the exit status."""
    from cellstats.cli.exit_status import DISTURBED, DONE
    from cellstats.host.placed_figure import check_here, placed_figure
    from cellstats.measure.progress import Progress
    from cellstats.placement.best_placement import place

    if plot is not None:
        of_file("figure", plot, "--plot")
        check_here(parameters["matrices"])
    with Progress(what="measurements") as bar:
        placed = place(pattern, machine="host", advance=bar.reach, **parameters)
    if plot is not None:
        from cellstats.draw.figure_files import save

        save(placed_figure(placed, pattern, parameters["size"]), plot)
    if form in names_of("placement"):
        text = find("placement", form).write(placed)
    else:
        text = find("CPU binding", form).write(placed.placement, placed.nodes) + "\n"
    sys.stdout.write(printable(text))
    return DISTURBED if strict and placed.disturbed else DONE
