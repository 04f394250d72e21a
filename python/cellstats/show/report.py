"""The files that `cellstats reproduce` writes: the report, tables and pictures.

The report is one self-contained page for screens of all sizes and for printing. For one row of each
figure, the report has a link to the page in which the run can be watched.
"""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from cellstats._native import UsageError
from cellstats.core.files import csv_table, write_whole
from cellstats.core.machine import Hardware
from cellstats.core.words import described, unwritable
from cellstats.reproduce.claims import Contradiction
from cellstats.reproduce.experiments import Experiment, Row, Rows
from cellstats.reproduce.figures import Figure
from cellstats.reproduce.runs import Store
from cellstats.reproduce.sensitivity import Sensitivity
from cellstats.reproduce.verdicts import Judged, Outcome, contradictions
from cellstats.show.claims import (
    ORDER,
    SHORTFALLS,
    Score,
    claim_rows,
    counted_outcomes,
    lenient,
    over_placements,
    published,
    score,
    simulated,
)
from cellstats.show.deviation_strips import TICKS, Strip, causes, place, signed, strip
from cellstats.show.deviations import (
    OutOfSample,
    Quartiles,
    cells,
    held_out,
    out_of_sample,
    percent,
    quartiles,
    worst,
)
from cellstats.show.page import built_page, scene, scene_link
from cellstats.show.report_pictures import Task
from cellstats.show.report_pictures import pictures as drawn_pictures

FILE = "watch.html"
"""File name of the page in which runs are watched, in the same directory as the report."""

BUS_CYCLES_PER_LINE = 1000
"""Maximum number of bus cycles per line on the rings. A run with fewer lines shows too little
activity to be worth watching."""


class Link(NamedTuple):
    """A link in the report."""

    address: str
    text: str


def page_to_watch() -> str | None:
    """The page in which runs are watched, or None (no links to the page) if it was not built."""
    try:
        return built_page()
    except UsageError:
        return None


def link(figure: Figure, rows: Rows) -> Link | None:
    """A link to the row with the most SPEs or, among several such rows, the highest bandwidth.

    Returns None if no row shows enough activity. rows: in the order of the figure's experiments.
    """
    busy = list(_busy(figure, rows))
    if not busy:
        return None
    experiment, row = max(busy, key=lambda pair: _rank(pair[1]))
    given = {name: value for name, value in experiment.given if name != "which"}
    if experiment.kind == "placements":
        given["placement"] = "random"
    shown = scene(Hardware.from_source(experiment.machine), experiment.function, given)
    known = [(name, row.columns.get(name)) for name in ("pattern", "spes", "size_bytes")]
    words = [described(name, value) for name, value in known if value]
    return Link(f"{FILE}#{scene_link(shown)}", ", ".join([f"watch {experiment.function}", *words]))


def _busy(figure: Figure, rows: Rows) -> Iterator[tuple[Experiment, Row]]:
    """The measurements with enough activity to be worth watching."""
    for experiment, row in zip(figure.experiments, rows, strict=True):
        if experiment.kind != "program" and (row.result is None or _is_busy(row.result.counters)):
            yield experiment, row


def _is_busy(counters: Mapping[str, Any]) -> bool:
    """Whether the rings carry enough lines for the run to be worth watching."""
    lines = sum(ring["grants"] for ring in counters["rings"])
    return bool(lines * BUS_CYCLES_PER_LINE >= counters["bus_cycles"])


def _rank(row: Row) -> tuple[float, float]:
    return row.columns.get("spes") or 0, row.columns.get("bandwidth_gb_s") or 0


WORDS = {
    "reproduced": "reproduced",
    "off": "off",
    "cannot-be-met": "cannot be met",
    "out-of-reach": "out of reach",
    "method": "method",
}
"""The words that the page uses for the verdicts."""


class Unsettled(NamedTuple):
    """A row of a figure with runs that did not settle."""

    row: str
    runs: int
    first_quarter_gb_s: float | None
    """Mean bandwidth of these runs in their first quarter."""
    last_quarter_gb_s: float | None
    """Mean bandwidth of these runs in their last quarter."""

    @classmethod
    def of(cls, columns: Mapping[str, Any]) -> "Unsettled":
        """Read a row with unsettled runs."""
        known = [(name, columns.get(name)) for name in _TELLING]
        row = ", ".join(described(name, value) for name, value in known if value is not None)
        return cls(
            f"{columns['function']}: {row}",
            columns["unsettled"],
            columns["first_quarter_gb_s"],
            columns["last_quarter_gb_s"],
        )


_TELLING = ("op", "spes", "size_bytes", "list_elements", "placement")
"""Columns that tell one row of a figure from another."""


@dataclass(frozen=True)
class Drawn:
    """A figure on the page: its panels as SVG elements, and its files in the page's directory."""

    figure: Figure
    panels: Sequence[tuple[str, str]]
    """The title and the `<svg>` element of each panel."""
    files: Mapping[str, str]
    """Path of each file relative to the page, by kind of file: `CSV`, `SVG`, `PNG`."""
    watch: Link | None
    """A link that opens one row of the figure in the page in which runs are watched."""
    settled: int
    """Number of runs of the figure that settled, so that most of them is extrapolated."""
    unsettled: Sequence[Unsettled]
    """The rows with runs that did not settle."""


@dataclass(frozen=True)
class Section:
    """The section of the page about one paper."""

    judged: Judged
    drawn: Sequence[Drawn]

    @property
    def key(self) -> str:
        """The key of the paper."""
        return self.judged.paper.key

    @property
    def score(self) -> Score:
        """Number of claims of each kind and status."""
        return score(self.judged.outcomes)

    @property
    def quartiles(self) -> Quartiles | None:
        """Quartiles of the deviations from published numbers."""
        return quartiles(self.judged.outcomes)

    @property
    def strip(self) -> Strip | None:
        """The paper's numbers in the picture of deviations."""
        return strip(self.judged.outcomes)

    @property
    def out_of_sample(self) -> OutOfSample | None:
        """The deviations from numbers that were held out."""
        return out_of_sample(self.judged.outcomes)

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes, sorted by verdict, with claims that are off first."""
        return sorted(self.judged.outcomes, key=lambda each: ORDER.index(each.verdict))

    def has_orbits(self, figure: Figure) -> bool:
        """Whether one placement of each orbit stands for all placements in this figure."""
        return any(row.columns.get("which") == "orbits" for row in self.judged.rows[figure])

    def of_figure(self, figure: Figure) -> list[Outcome]:
        """The outcomes of a figure's claims, sorted by verdict, with claims that are off first."""
        return [each for each in self.outcomes if each.claim.figure == figure.name]


def page(
    sections: Sequence[Section],
    sensitivities: Sequence[Sensitivity] | None,
    command: str,
    version: str,
) -> str:
    """The report as an HTML page.

    sensitivities: the results of `--sensitivity`; None if that option was not given.
    command: the command line that reproduces the page.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("cellstats.show", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        over_placements=over_placements,
        published=published,
        simulated=simulated,
        percent=percent,
        place=place,
        signed=signed,
        ticks=TICKS,
        cells_of=cells,
        shortfalls=tuple(SHORTFALLS),
        words=WORDS,
    )
    every = [each for section in sections for each in section.judged.outcomes]
    recalled = [section for section in sections if section.judged.paper.is_recalled]
    fitted = [section for section in sections if section not in recalled]
    counted = counted_outcomes(section.judged for section in sections)
    seen = {name for each in every for name in each.claim.disagreements}
    return environment.get_template("report.html").render(
        sections=sections,
        counted=fitted,
        recalled=recalled,
        total=score(counted),
        quartiles=quartiles(counted),
        out_of_sample=out_of_sample(counted),
        held_out=held_out(counted),
        worst=worst(counted),
        lenient=lenient(every),
        strips=[each for each in (*fitted, *recalled) if each.strip],
        causes=causes(counted),
        contradictions=[each for each in contradictions().values() if each.id in seen],
        claims_of=lambda each: _claims_of(each, sections),
        sensitivities=sensitivities,
        command=command,
        version=version,
    )


def _claims_of(contradiction: Contradiction, sections: Sequence[Section]) -> list[Outcome]:
    return [
        each
        for section in sections
        for each in section.judged.outcomes
        if contradiction.id in each.claim.disagreements
    ]


def check_libraries() -> None:
    """Raise UsageError if a library that the report needs is missing."""
    for name in ("matplotlib", "jinja2"):
        if find_spec(name) is None:
            raise UsageError(
                f"a report needs {name}; install it with: pip install 'cellstats[report]'"
            )


def write(
    judged: Sequence[Judged],
    sensitivities: Sequence[Sensitivity] | None,
    out: Path,
    store: Store,
    *,
    command: str,
    version: str,
    jobs: int,
) -> Path:
    """Write `report.html`, `claims.csv`, figures' rows and pictures, and the page that plays runs.

    Returns the path of the report. Raises UsageError if the files cannot be written, and RunError
    if the disk is full.
    """
    try:
        to_watch = page_to_watch()
        sections = _sections(judged, out, store, jobs, links=to_watch is not None)
        if to_watch is not None:
            write_whole(out / FILE, to_watch)
        write_whole(out / "claims.csv", _claims_table(judged))
        if sensitivities is not None:
            rows = [row for each in sensitivities for row in each.rows()]
            columns = list(rows[0]) if rows else ["key"]
            write_whole(out / "sensitivity.csv", csv_table(columns, rows))
        report = out / "report.html"
        write_whole(report, page(sections, sensitivities, command, version))
    except OSError as error:
        raise unwritable(error.filename or out, error, "another --out") from None
    return report


def _sections(
    judged: Sequence[Judged], out: Path, store: Store, jobs: int, *, links: bool
) -> list[Section]:
    tasks: dict[Figure, Task] = {
        figure: (f"{each.paper.key}-{figure.name}", figure.title, figure.charts(rows))
        for each in judged
        for figure, rows in each.rows.items()
    }
    pictures = drawn_pictures(tasks, store, jobs)
    sections = []
    for each in judged:
        drawn = []
        folder = out / each.paper.key
        folder.mkdir(exist_ok=True)
        for figure, rows in each.rows.items():
            picture = pictures[figure]
            files: dict[str, str | bytes] = {"csv": _table(rows)}
            *_, charts = tasks[figure]
            if charts:
                files |= {"svg": picture["svg"], "png": base64.b64decode(picture["png"])}
            for kind, content in files.items():
                write_whole(folder / f"{figure.name}.{kind}", content)
            beside = {kind.upper(): f"{each.paper.key}/{figure.name}.{kind}" for kind in files}
            titles = [chart.title for chart in charts]
            panels = list(zip(titles, picture["panels"], strict=True))
            watch = link(figure, rows) if links else None
            columns = [row.columns for row in rows]
            settled = sum(row.get("settled") or 0 for row in columns)
            unsettled = [Unsettled.of(row) for row in columns if row.get("unsettled")]
            drawn.append(Drawn(figure, panels, beside, watch, settled, unsettled))
        sections.append(Section(each, drawn))
    return sections


def _table(rows: Rows) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row.columns))
    return csv_table(names, [row.columns for row in rows])


def _claims_table(judged: Sequence[Judged]) -> str:
    rows = claim_rows(judged)
    for row in rows:
        for name, value in row.items():
            if isinstance(value, list | dict):
                row[name] = json.dumps(value)
    return csv_table(list(rows[0]), rows) if rows else "id\n"
