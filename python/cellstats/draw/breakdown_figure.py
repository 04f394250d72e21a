"""A breakdown as a picture: each component a bar, from where the one before it ends."""

from typing import TYPE_CHECKING

from cellstats.draw.figure_files import figure_class
from cellstats.measure.breakdown import cells

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cellstats.measure.breakdown import Breakdown

_COLOUR = "#3b6ea8"
_BAR_INCHES = 0.36


def breakdown_figure(of: "Breakdown") -> "Figure":
    """The components from top to bottom in the order of time, from left to right."""
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
