"""A figure's row to watch in a browser, and the link that leads to it.

The report: one self-contained page, for screens of all sizes and for paper.

The files that `cellstats reproduce` writes: the report, tables and pictures.
"""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from cellstats._native import UsageError
from cellstats.core.files import csv_table, write_whole
from cellstats.core.machine import Hardware
from cellstats.core.words import described, few_threads, unwritable
from cellstats.measure.progress import Progress
from cellstats.reproduce.charts import Chart
from cellstats.reproduce.claims import Contradiction
from cellstats.reproduce.experiments import Answer, Answers, Ask
from cellstats.reproduce.guesses import Leaning
from cellstats.reproduce.judging import Figure, Judged, Outcome, contradictions
from cellstats.reproduce.running import Store
from cellstats.show import chart_figures, whole_pictures
from cellstats.show import pictures as drawing
from cellstats.show.claims import ORDER, Score, published, score, simulated
from cellstats.show.page import built_page, scene, scene_link

FILE = "watch.html"
"""The page beside the report, to which all its links lead."""

BUS_CYCLES_PER_LINE = 1000
"""Where lines are rarer on the rings, most of a page would be empty."""


class Link(NamedTuple):
    """A link of the report."""

    address: str
    text: str


def page_to_watch() -> str | None:
    """The page that links lead to; None where it was not built, and there are no links then."""
    try:
        return built_page()
    except UsageError:
        return None


def link(figure: Figure, rows: Answers) -> Link | None:
    """To the row with most SPEs, of these the one with most bandwidth; None where little moves.

    rows: its answers, in the order of its asks.
    """
    seen = list(_seen(figure, rows))
    if not seen:
        return None
    ask, answer = max(seen, key=lambda row: _rank(row[1]))
    given = {name: value for name, value in ask.given if name != "which"}
    if ask.kind == "placements":
        given["placement"] = "random"
    shown = scene(Hardware.from_source(ask.machine), ask.function, given)
    known = [(name, answer.columns.get(name)) for name in ("pattern", "spes", "size_bytes")]
    words = [described(name, value) for name, value in known if value]
    return Link(f"{FILE}#{scene_link(shown)}", ", ".join([f"watch {ask.function}", *words]))


def _seen(figure: Figure, rows: Answers) -> Iterator[tuple[Ask, Answer]]:
    """The rows that are measurements of which there is something to see."""
    for ask, answer in zip(figure.asks, rows, strict=True):
        if ask.kind != "program" and (answer.result is None or _is_busy(answer.result.counters)):
            yield ask, answer


def _is_busy(counters: Mapping[str, Any]) -> bool:
    """Whether more than a line now and then is on the rings."""
    lines = sum(ring["grants"] for ring in counters["rings"])
    return bool(lines * BUS_CYCLES_PER_LINE >= counters["bus_cycles"])


def _rank(answer: Answer) -> tuple[float, float]:
    return answer.columns.get("spes") or 0, answer.columns.get("bandwidth_gb_s") or 0


WORDS = {
    "reproduced": "reproduced",
    "off": "off",
    "out-of-reach": "out of reach",
    "method": "method",
}


@dataclass(frozen=True)
class Drawn:
    """A figure on the page: its panels as elements, and its files beside the page."""

    figure: Figure
    panels: Sequence[tuple[str, str]]
    """Title and `<svg>` of each."""
    files: Mapping[str, str]
    """By kind: `CSV`, `SVG`, `PNG`; relative to the page."""
    watch: Link | None
    """To one of its rows in the page in which runs are watched."""


@dataclass(frozen=True)
class Section:
    """A paper on the page."""

    judged: Judged
    drawn: Sequence[Drawn]

    @property
    def key(self) -> str:
        """The paper's."""
        return self.judged.paper.key

    @property
    def score(self) -> Score:
        """How many claims of each kind and status."""
        return score(self.judged.outcomes)

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes, those that are off first."""
        return sorted(self.judged.outcomes, key=lambda each: ORDER.index(each.verdict))

    def of_figure(self, figure: Figure) -> list[Outcome]:
        """The outcomes of a figure's claims, those that are off first."""
        return [each for each in self.outcomes if each.claim.figure == figure.name]


def page(
    sections: Sequence[Section], leanings: Sequence[Leaning] | None, command: str, version: str
) -> str:
    """The page as text.

    leanings: what `--sensitivity` found; None without it.
    command: the command line that makes the page again.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("cellstats.show", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(published=published, simulated=simulated, words=WORDS)
    seen = {
        name
        for section in sections
        for each in section.outcomes
        for name in each.claim.disagreements
    }
    return environment.get_template("report.html").render(
        sections=sections,
        total=score([each for section in sections for each in section.judged.outcomes]),
        contradictions=[each for each in contradictions().values() if each.id in seen],
        claims_of=lambda each: _claims_of(each, sections),
        leanings=leanings,
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
    """Raise UsageError if a library is missing that the report needs."""
    for name in ("matplotlib", "jinja2"):
        if find_spec(name) is None:
            raise UsageError(
                f"a report needs {name}; install it with: pip install 'cellstats[report]'"
            )


Task = tuple[str, str, Sequence[Chart]]
"""A figure to draw in another process: its name, its title and its panels."""


def write(
    judged: Sequence[Judged],
    leanings: Sequence[Leaning] | None,
    out: Path,
    store: Store,
    *,
    command: str,
    version: str,
    jobs: int,
) -> Path:
    """Write `report.html`, `claims.csv`, each figure's rows and pictures, and the page to watch.

    Answers the path of the report. Raises UsageError where no files can be, RunError where
    the disk is full.
    """
    try:
        to_watch = page_to_watch()
        sections = _sections(judged, out, store, jobs, links=to_watch is not None)
        if to_watch is not None:
            write_whole(out / FILE, to_watch)
        write_whole(out / "claims.csv", _claims_table(judged))
        if leanings is not None:
            rows = [row for leaning in leanings for row in leaning.rows()]
            columns = list(rows[0]) if rows else ["key"]
            write_whole(out / "sensitivity.csv", csv_table(columns, rows))
        report = out / "report.html"
        write_whole(report, page(sections, leanings, command, version))
    except OSError as error:
        raise unwritable(error.filename or out, error, "another --out") from None
    return report


def _sections(
    judged: Sequence[Judged], out: Path, store: Store, jobs: int, *, links: bool
) -> list[Section]:
    charts = {figure: figure.charts(rows) for each in judged for figure, rows in each.rows.items()}
    pictures = _pictures(charts, store, jobs)
    sections = []
    for each in judged:
        drawn = []
        for figure, rows in each.rows.items():
            place = out / figure.paper
            place.mkdir(exist_ok=True)
            picture = pictures[figure]
            files: dict[str, str | bytes] = {"csv": _table(rows)}
            if charts[figure]:
                files |= {"svg": picture["svg"], "png": base64.b64decode(picture["png"])}
            for kind, content in files.items():
                write_whole(place / f"{figure.name}.{kind}", content)
            beside = {kind.upper(): f"{figure.paper}/{figure.name}.{kind}" for kind in files}
            titles = [chart.title for chart in charts[figure]]
            panels = list(zip(titles, picture["panels"], strict=True))
            watch = link(figure, rows) if links else None
            drawn.append(Drawn(figure, panels, beside, watch))
        sections.append(Section(each, drawn))
    return sections


def _pictures(
    charts: Mapping[Figure, Sequence[Chart]], store: Store, jobs: int
) -> dict[Figure, dict[str, Any]]:
    """The panels and the files of each figure, drawn only if its data are new."""
    tasks = {f: (f"{f.paper}-{f.name}", f.title, drawn) for f, drawn in charts.items()}
    keys = {figure: _key(task) for figure, task in tasks.items()}
    done = {figure: store.picture(key) for figure, key in keys.items()}
    missing = [figure for figure, kept in done.items() if kept is None]
    with Progress(len(done), len(done) - len(missing), always=True, what="figures") as bar:
        for figure, picture in zip(missing, _drawn([tasks[f] for f in missing], jobs), strict=True):
            done[figure] = picture
            store.add_picture(keys[figure], picture)
            bar.advance()
    return {figure: picture for figure, picture in done.items() if picture is not None}


def _drawn(tasks: Sequence[Task], jobs: int) -> Iterator[dict[str, Any]]:
    """The drawings, in the order of the tasks."""
    if jobs == 1 or len(tasks) < 2:
        yield from map(draw, tasks)
        return
    # Matplotlib holds the interpreter's lock, so threads would not draw at the same time.
    with (
        few_threads(),
        ProcessPoolExecutor(min(jobs, len(tasks)), get_context("spawn")) as executor,
    ):
        yield from executor.map(draw, tasks)


def draw(task: Task) -> dict[str, Any]:
    """Draw a figure: `panels`, elements for the page, and the files `svg` and `png` (base64)."""
    name, title, charts = task
    if not charts:
        return {"panels": []}
    built = chart_figures.panels(charts)
    panels = [panel.svg(f"{name}-{nth}") for nth, panel in enumerate(built)]
    png = whole_pictures.whole_png(built, title)
    svg = whole_pictures.whole_svg(panels, title)
    return {"panels": panels, "svg": svg, "png": base64.b64encode(png).decode()}


def _key(task: Task) -> bytes:
    import matplotlib as mpl

    sources = [
        Path(module.__file__).read_bytes()
        for module in (chart_figures, drawing, whole_pictures)
        if module.__file__
    ]
    return hashlib.sha256(b"".join([f"{task!r} {mpl.__version__}".encode(), *sources])).digest()


def _table(rows: Answers) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row.columns))
    return csv_table(names, [row.columns for row in rows])


def _claims_table(judged: Sequence[Judged]) -> str:
    rows = [outcome.to_dict() for each in judged for outcome in each.outcomes]
    for row in rows:
        for name, value in row.items():
            if isinstance(value, list | dict):
                row[name] = json.dumps(value)
    return csv_table(list(rows[0]), rows) if rows else "id\n"
