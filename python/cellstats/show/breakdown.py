"""A breakdown as text, CSV, HTML and a picture: each bar begins where the previous bar ends."""

from typing import TYPE_CHECKING

from cellstats.core.files import csv_table
from cellstats.measure.breakdown import COLUMNS, Breakdown, Component
from cellstats.show.figures import figure_class
from cellstats.show.html_parts import paragraph, table
from cellstats.show.html_parts import picture as small_picture
from cellstats.show.tables import aligned, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOUR = "#3b6ea8"
_BAR_INCHES = 0.36
HEAD = ("component", "bus cycles", "SPU cycles", "ns")
"""The column headings of the text table."""


def breakdown_text(of: Breakdown) -> str:
    """A table for people."""
    rows = [HEAD, *map(cells, (*of.components, of.total))]
    return f"{of.title()}\n\n{aligned(rows)}"


def cells(part: Component) -> list[str]:
    """The cells of a component's row in the text table."""
    name = part.component.replace("_", " ").replace("dma", "DMA").replace("eib", "EIB")
    name = name.replace("chip to chip", "chip-to-chip")
    return [name, f"{part.bus_cycles:g}", str(part.spu_cycles), number(part.ns)]


def breakdown_csv(of: Breakdown) -> str:
    """CSV with a row for each component, and the total as the last row."""
    return csv_table(COLUMNS, of.rows())


def breakdown_html(of: Breakdown) -> str:
    """HTML that shows the components in sequence, as bars and as a table."""
    parts = [*of.components, of.total]
    image = small_picture(of.plot, "the components one after the other")
    return paragraph(of.title()) + image + table(HEAD, parts, cells)


def breakdown_figure(of: Breakdown) -> "Figure":
    """The components as bars in chronological order, from top left to bottom right."""
    names = [cells(part)[0] for part in of.components]
    lengths = [part.ns for part in of.components]
    starts = [sum(lengths[:number]) for number in range(len(lengths))]
    figure = figure_class()(figsize=(7.0, 1.2 + _BAR_INCHES * len(names)), layout="constrained")
    axes = figure.add_subplot()
    bars = axes.barh(names, lengths, left=starts, color=_COLOUR, height=0.7)
    axes.bar_label(bars, [f"{length:.3g}" for length in lengths], padding=3, fontsize="small")
    axes.invert_yaxis()
    axes.set_xlim(0, 1.08 * sum(lengths))
    axes.set_xlabel("Time (ns)")
    axes.set_title(of.title(), fontsize="medium")
    axes.grid(visible=True, axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    return figure
