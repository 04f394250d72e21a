"""The pictures of a report's figures, drawn in several processes, and kept."""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from cellstats.core.words import few_threads
from cellstats.measure.progress import Progress
from cellstats.reproduce.figures import Chart, Figure
from cellstats.reproduce.runs import Store
from cellstats.show import chart_figures, chart_legend, whole_pictures
from cellstats.show import pictures as drawing

Task = tuple[str, str, Sequence[Chart]]
"""A figure to be drawn in another process: name, title and panels."""


def pictures(tasks: Mapping[Figure, Task], store: Store, jobs: int) -> dict[Figure, dict[str, Any]]:
    """The panels and the files of each figure. Only figures with new data are drawn."""
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
    """The pictures, in the order of the tasks."""
    if jobs == 1 or len(tasks) < 2:
        yield from map(draw, tasks)
        return
    # Matplotlib holds the interpreter's lock, so threads cannot draw in parallel.
    with (
        few_threads(),
        ProcessPoolExecutor(min(jobs, len(tasks)), get_context("spawn")) as executor,
    ):
        yield from executor.map(draw, tasks)


def draw(task: Task) -> dict[str, Any]:
    """Draw a figure: `panels` as elements for the page, and the files `svg` and `png` (base64)."""
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
        for module in (chart_figures, chart_legend, drawing, whole_pictures)
        if module.__file__
    ]
    return hashlib.sha256(b"".join([f"{task!r} {mpl.__version__}".encode(), *sources])).digest()
