"""`cellstats place`: which thread on which SPE."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cellstats._native import UsageError
from cellstats.cli.flags import (
    check_strict,
    format_flag,
    known_form,
    named_flags,
    strict_flag,
    words,
)
from cellstats.measure.quantities import parse_count
from cellstats.parameters import MACHINE, named
from cellstats.placement.best_placement import JUDGES, Placed
from cellstats.placement.named_patterns import NAMES

_HELP = """Find the SPE of each thread with which PATTERN takes the least time.

\b
  cellstats place ring --machine qs20 --cells 0 -b 64k
  cellstats place pipeline --machine ps3 -n 6 --by model
  cellstats place mine.csv --machine qs20 --format libspe2 > placement.c

PATTERN is one of `cellstats pattern show`, or a file. By simulation, it is run on every placement
if there are no more than 50,000, as of 8 threads on 8 SPEs; of more, some hundred are tried, from
good ones to better ones. The model is that of sudheer2009: quick, and blind to what happens in
between.

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
_CELL_FORMS = ("text", "json", "list", "libspe2", "environment")
_HOST_FORMS = ("text", "json", "list", "environment", "openmp", "taskset", "numactl", "rankfile")
_FORMS = tuple(dict.fromkeys((*_CELL_FORMS, *_HOST_FORMS)))


def _count(flag: str) -> Callable[..., int | None]:
    return lambda _ctx, _flag, text: None if text is None else parse_count(text, flag)


def _seed(_ctx: click.Context, _flag: click.Parameter, text: str) -> int:
    return parse_count(text, "--seed", 0)


def _word(name: str) -> dict[str, Any]:
    parameter = named(name)
    assert parameter is not None
    return {"metavar": parameter.metavar, **words(parameter.words)}


@click.command(help=_HELP)
@click.argument("pattern", metavar="PATTERN", required=False, **words(NAMES))
@click.option(
    "--machine",
    metavar=MACHINE.metavar,
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
@click.option("--spes", "cpus", metavar="LIST", help="Host: CPUs to choose from, such as 0-7.")
@click.option(
    "--matrix",
    "matrices",
    metavar="FILE",
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
@click.option(
    "--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw it: .png, .svg or .pdf."
)
@format_flag(
    _FORMS,
    "text, json, list (as --placement takes it), libspe2 (C) or environment (a line of shell); "
    "of the host not libspe2, but openmp, taskset, numactl and rankfile (Open MPI).",
    callback=known_form(_FORMS),
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
    **parameters: Any,
) -> int:
    from cellstats.cli.exit_status import DONE
    from cellstats.machine import machine as find_machine
    from cellstats.measure.progress import Progress
    from cellstats.placement import best_placement as placer

    if pattern is None:
        raise UsageError(f"which pattern? Give a file, or one of {', '.join(NAMES)}")
    _check_form(form, machine)
    if machine == "host":
        if plot is not None:
            raise UsageError("--plot draws a Cell; cellstats matrix --plot draws the host")
        return _on_host(pattern, form, strict, parameters)
    check_strict(strict, machine)
    if plot is not None:
        from cellstats.draw.plot import check_plot_file

        check_plot_file(plot)
    found = find_machine(machine)
    with Progress(what="placements") as bar:
        placed = placer.place(pattern, machine=found, advance=bar.reach, **parameters)
    if plot is not None:
        from cellstats.draw import placement_figure as placement_drawing
        from cellstats.draw.plot import save
        from cellstats.placement.pattern_choice import pattern as find_pattern

        drawn = find_pattern(pattern, placed.threads, parameters["size"])
        picture = placement_drawing.figure(
            found, drawn, placed.placement, cells=placed.cells, memory=placed.memory
        )
        save(picture, plot)
    sys.stdout.write(_shown(placed, form, found))
    return DONE


def _check_form(form: str, machine: str) -> None:
    forms = _HOST_FORMS if machine == "host" else _CELL_FORMS
    if form not in forms:
        raise UsageError(f"--format {form}: for {machine} give one of {', '.join(forms)}")


def _on_host(pattern: str, form: str, strict: bool, parameters: dict[str, Any]) -> int:
    """A placement on this computer's CPUs; answers the exit status."""
    from cellstats.cli.exit_status import DISTURBED, DONE
    from cellstats.export.cpu_bindings import FORMS
    from cellstats.host.placed_text import placed_text
    from cellstats.measure.progress import Progress
    from cellstats.placement.best_placement import place
    from cellstats.text.printable import printable

    with Progress(what="measurements") as bar:
        placed = place(pattern, machine="host", advance=bar.reach, **parameters)
    if form == "text":
        text = printable(placed_text(placed))
    elif form == "json":
        text = json.dumps(placed.to_dict(), ensure_ascii=False) + "\n"
    else:
        text = FORMS[form](placed.placement, placed.nodes) + "\n"
    sys.stdout.write(text)
    return DISTURBED if strict and placed.disturbed else DONE


def _shown(placed: Placed, form: str, machine: Any) -> str:
    if form == "text":
        return _text(placed)
    if form == "json":
        return json.dumps(placed.to_dict(), ensure_ascii=False) + "\n"
    from cellstats.export import spe_bindings as placement_forms

    forms = {
        "list": placement_forms.as_list,
        "libspe2": placement_forms.as_libspe2,
        "environment": placement_forms.as_environment,
    }
    text: str = forms[form](machine, placed.placement)
    return text.rstrip("\n") + "\n"


def _text(placed: Placed) -> str:
    from cellstats.measure.quantities import format_bandwidth, format_latency
    from cellstats.text.printable import printable
    from cellstats.text.tables import aligned

    def row(name: str, time_ns: float) -> list[str]:
        moved = placed.bandwidth_gb_s * placed.time_ns / time_ns
        worse = f"{100 * (time_ns / placed.time_ns - 1):+.0f} %" if name != "found" else ""
        return [name, format_latency(time_ns), format_bandwidth(moved), worse]

    where = f"{placed.machine}" + (f", Cell {placed.cells}" if placed.cells in ("0", "1") else "")
    which = "all " if placed.all_placements else ""
    rows = [row("found", placed.time_ns)]
    rows += [row(name, ns) for name, ns in placed.affinities_ns.items() if name != "default"]
    rows += [
        row(f"random, mean of {placed.defaults}", placed.affinities_ns["default"]),
        row("random, the worst", placed.default_worst_ns),
    ]
    lines = [
        f"--placement {','.join(map(str, placed.placement))}",
        "",
        f"{placed.pattern}, {placed.threads} threads on {where}, by {placed.by}: "
        f"{which}{placed.evaluations} placements",
        "",
        aligned([["", "time", "bandwidth", "longer"], *rows]).rstrip("\n"),
        "",
        f"No placement takes less than {format_latency(placed.bound_ns)}, "
        f"{100 * placed.gap:.0f} % less: for so long SPEs, memory or the interface are busy.",
    ]
    if placed.relieved:
        lines += ["", "Less to carry than with identity, in bytes:"]
        lines += [
            f"  {load.part}: {load.identity_bytes} -> {load.placed_bytes}"
            + (f" (phase {load.phase})" if placed.phases > 1 else "")
            for load in placed.relieved[:4]
        ]
    return printable("\n".join(lines) + "\n")
