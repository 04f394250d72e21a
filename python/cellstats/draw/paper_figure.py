"""A figure of a paper, measured: all its panels in one picture. Needs matplotlib."""

from typing import TYPE_CHECKING

from cellstats._native import UsageError
from cellstats.draw.chart_figures import panels_figure
from cellstats.refusal import refusal
from cellstats.text.nearest import did_you_mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cellstats.reproduce.judging import Judged


def paper_figure(of: "Judged", figure: str | int | None = None) -> "Figure":
    """The panels of a figure, by its name or number; the first figure by default.

    Raises UsageError where there is none.
    """
    charts = {each.name: (each, each.charts(rows)) for each, rows in of.rows.items()}
    drawable = {name: both for name, both in charts.items() if both[1]}
    if not drawable:
        raise UsageError(f"{of.paper.key} has no figure that can be drawn, only tables")
    names = [next(iter(drawable))] if figure is None else [str(figure), f"figure{figure}"]
    chosen = next((name for name in names if name in drawable), None)
    if chosen is None:
        raise refusal(f"{{figure}} {figure}: {did_you_mean(str(figure), list(drawable))}")
    found, panels = drawable[chosen]
    return panels_figure(panels, f"{of.paper.key}, {found.title}")
