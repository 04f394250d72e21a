"""`cellstats reproduce`: compares published measurements with simulated ones."""

import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from cellstats._native import RunError, UsageError
from cellstats.cli.command import Command
from cellstats.cli.engines import check_engine, engine_of
from cellstats.cli.file_flags import WRITTEN_PATH
from cellstats.cli.flags import engine_flag, format_flag, words
from cellstats.core.processors import usable_cpus
from cellstats.core.terminal import show, width
from cellstats.core.version import version
from cellstats.core.words import file_name, unwritable
from cellstats.measure.progress import Progress
from cellstats.reproduce.runs import Store
from cellstats.reproduce.sensitivity import sensitivities
from cellstats.reproduce.verdicts import (
    Judged,
    Paper,
    Scorecard,
    chosen,
    introductions,
    judge,
)
from cellstats.show.claims import score_line
from cellstats.show.report import check_libraries, write
from cellstats.show.views import find

_SOON_S = 2.0
"""If all is judged sooner, the scores at the end of the output are enough."""
_QUICK = {
    "-f couples -n 8 --machine eval-board": "four pairs of SPEs exchange data",
    "breakdown --machine eval-board": "where the time of one DMA goes",
    "place ring -n 4": "the best SPEs for a ring of threads",
}
"""Commands that are quick, and what they show."""
_PAPERS = {key: paper["about"] for key, paper in introductions().items()}
_LISTED = "\n".join(f"  {key:{max(map(len, _PAPERS))}} {about}" for key, about in _PAPERS.items())
_HELP = f"""Repeat the measurements of papers, and compare the results.

Every table and figure of each PAPER (by default all) is measured on a simulation of the machine
that the paper used, and every claim of the paper is compared with the results. PAPER is one of

\b
{_LISTED}

The last lines say how far the simulated numbers are from the published ones: the ten largest
deviations with their causes, and the quartiles of each paper's deviations.

Runs that move 32 MB for each SPE end early if they have settled: if the bandwidths from a
thirty-second to a sixteenth and from there to an eighth of a run agree within 0.2 %. All other runs
are simulated in full. The report says which runs did not settle. Averages over all placements take
one placement of each orbit of the rings' symmetry. With --exact, every run is simulated in full,
and every placement.

The command writes into DIR: report.html, one self-contained page; claims.csv; and for each figure
its numbers (.csv) and pictures (.svg, .png). DIR/results.sqlite keeps the results, so a second run
measures only what has changed.

\b
  cellstats reproduce
  cellstats reproduce kistler2006 --figure 6
  cellstats reproduce --format json > claims.json

The exit status is 1 if the outcome of a claim differs from the status in its file: the claim is no
longer reproduced, or is unexpectedly reproduced.
"""


@click.command(cls=Command, help=_HELP)
@click.argument("papers", metavar="[PAPER]...", nargs=-1, **words(tuple(_PAPERS)))
@click.option("--figure", metavar="ID", help="Only this figure or table: 6, figure6 or table1.")
@click.option(
    "--out",
    type=WRITTEN_PATH,
    metavar="DIR",
    default="out",
    show_default=True,
    help="Directory of the report; made if it does not exist.",
)
@click.option(
    "--jobs",
    type=int,
    metavar="N",
    help="Number of concurrent measurements; by default one per processor.",
)
@click.option("--exact", is_flag=True, help="Simulate every run in full, and every placement.")
@engine_flag()
@format_flag("claims")
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Measure again at both ends of each guess's range, to see which claims depend on the "
    "guess. Implies --exact. Takes two hours on two processors; after Ctrl-C, the same command "
    "continues.",
)
def reproduce(**flags: Any) -> int:
    """Run `cellstats reproduce`; returns the exit status."""
    return _reproduce(**flags)


def _reproduce(
    *,
    papers: Sequence[str],
    figure: str | None,
    out: Path,
    jobs: int | None,
    exact: bool,
    on: str | None,
    form: str,
    sensitivity: bool,
) -> int:
    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs {jobs}: give 1 or more")
    check_engine(on, jobs)
    selected = _measurable(chosen(papers, figure))
    check_libraries()
    _make(out)
    with Store(out / "results.sqlite") as store, engine_of(on) as executor, _kept_in(out):
        exact |= sensitivity
        judged = _judged(selected, store, jobs=jobs, executor=executor, exact=exact)
        found = None
        if sensitivity:
            # A separate file, because these runs take hundreds of megabytes and can be deleted
            # afterwards.
            with Store(out / "sensitivity.sqlite") as runs:
                found = sensitivities(judged, runs, jobs=jobs, executor=executor)
        command = file_name(shlex.join(["cellstats", *sys.argv[1:]]))
        report = write(
            judged,
            found,
            out,
            store,
            command=command,
            version=version(),
            jobs=jobs or usable_cpus(),
        )
    more = {"width": width()} if form == "text" else {}
    show(find("claims", form).write(judged, **more), form)
    surprises = [each.surprise for one in judged for each in one.outcomes if each.surprise]
    if form == "text":
        sys.stdout.write(f"\n{report}\n")
    sys.stdout.flush()
    if surprises:
        raise RunError(
            f"{len(surprises)} claims differ from the status in their files: {'; '.join(surprises)}"
        )
    return 0


def _measurable(papers: Sequence[Paper]) -> list[Paper]:
    """The papers that can be measured here; one line names the others."""
    here = [
        paper
        for paper in papers
        if all(each.runs_here for figure in paper.figures for each in figure.experiments)
    ]
    if len(here) < len(papers):
        keys = ", ".join(paper.key for paper in papers if paper not in here)
        why = "programs of Linux are timed, which do not run here, only on Linux and macOS"
        if not here:
            raise UsageError(f"{keys}: {why}; name another paper")
        print(f"cellstats: left out: {keys}, in which {why}", file=sys.stderr)
    return here


@contextmanager
def _kept_in(out: Path) -> Iterator[None]:
    """After Ctrl-C, say that nothing that was measured is lost."""
    try:
        yield
    except KeyboardInterrupt:
        kept = f"what was measured is kept in {file_name(out)}; the same command goes on from there"
        print(f"cellstats: interrupted, {kept}", file=sys.stderr)
        raise click.Abort from None  # on a KeyboardInterrupt, Click would print an empty line


def _judged(
    papers: Sequence[Paper],
    store: Store,
    *,
    jobs: int | None,
    executor: Executor | None,
    exact: bool,
) -> Scorecard:
    """Judge the papers, and show the score of each as soon as it is known."""
    began = time.monotonic()
    with Progress(always=True, meanwhile=_meanwhile()) as bar:

        def finished(judged: Judged) -> None:
            # The end of the output has all scores.
            if len(papers) > 1 and time.monotonic() - began > _SOON_S:
                bar.note(score_line(judged))

        return judge(
            papers, store, jobs=jobs, executor=executor, exact=exact, bar=bar, finished=finished
        )


def _meanwhile() -> str:
    """What somebody who waits can try in another terminal: each command takes a second at most."""
    given = Path(sys.argv[0])
    command = str(given) if given.name == "cellstats" else "cellstats"
    if command == shutil.which("cellstats"):
        command = "cellstats"
    command, room = file_name(shlex.quote(command)), max(map(len, _QUICK))
    lines = [f"  {command} {words:{room}}  {what}" for words, what in _QUICK.items()]
    return "\n".join(["Meanwhile, you can try in another terminal:", *lines])


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(out, error, "a directory") from None
