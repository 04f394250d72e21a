"""The files that `cellstats reproduce` writes: the report, tables and pictures."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from cellstats._native import UsageError
from cellstats.draw import chart_figures, lettering, slim_svg, whole_pictures
from cellstats.draw.charts import Chart
from cellstats.export.csv_table import csv_table
from cellstats.export.whole_file import write_whole
from cellstats.measure.progress import Progress
from cellstats.reproduce.answers import Answers
from cellstats.reproduce.guesses import Leaning
from cellstats.reproduce.judging import Judged
from cellstats.reproduce.page import Drawn, Section, page
from cellstats.reproduce.published import Figure
from cellstats.reproduce.store import Store
from cellstats.reproduce.watching import FILE, link, page_to_watch
from cellstats.text.reasons import few_threads, unwritable


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
        for module in (chart_figures, lettering, slim_svg, whole_pictures)
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
