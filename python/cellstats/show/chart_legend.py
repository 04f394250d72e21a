"""The legends below a panel: one for simulated values, then one for published values."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cellstats.reproduce.figures import Chart, Published
from cellstats.show.pictures import (
    LEGEND_POINTS,
    TITLE_MARGIN_INCHES,
    lines_that_fit,
    width_inches,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE_INCHES = 0.23
"""Height of a text line."""
_HANDLE_EMS = 3.8
"""Width of the line or box before a label: each kind of dashes appears twice in it."""
_HANDLE_INCHES = 0.3 + _HANDLE_EMS * LEGEND_POINTS / 72
"""Width of the line or box before a label, with the spaces beside it."""


def published_label(mark: Published) -> str:
    """The label of a published value, with its margin."""
    margin = f" ±{100 * mark.margin:g} %" if mark.margin else ""
    return f"published: {mark.label}{margin}"


def legend_inches(chart: Chart, width: float) -> float:
    """Height of both legends of a panel of this width."""
    simulated = [line.label for line in chart.lines] + [bars.label for bars in chart.bars]
    simulated += [steps.label for steps in chart.steps]
    published = list(map(published_label, chart.marks))
    return (_lines(simulated, width) + _lines(published, width)) * _LINE_INCHES


def add_legends(
    axes: "Axes", chart: Chart, width: float, axes_height: float, names_height: float
) -> None:
    """Add the legends below the names of the bars. Sizes are in inches."""
    handles, labels = axes.get_legend_handles_labels()
    pairs = list(zip(labels, handles, strict=True))
    marks = set(map(published_label, chart.marks))
    two = not marks.isdisjoint(labels)
    top = -0.24 - names_height / axes_height
    for published in (False, True):
        kind = [pair for pair in pairs if (pair[0] in marks) == published]
        names = [label for label, _ in kind]
        if kind:
            legend = axes.legend(
                [handle for _, handle in kind],
                ["\n".join(_broken(name, width)) for name in names],
                loc="upper center",
                bbox_to_anchor=(0.46, top),
                borderpad=0,
                ncols=_columns(names, width),
                handlelength=_HANDLE_EMS,
                columnspacing=1.2,
            )
            if not published and two:
                # Without this call, the second legend would replace the first.
                axes.add_artist(legend)
            top -= _lines(names, width) * _LINE_INCHES / axes_height


def _columns(labels: Sequence[str], width: float) -> int:
    longest = max(width_inches(label, LEGEND_POINTS) for label in labels)
    return max(1, min(len(labels), int(_room(width) / (longest + _HANDLE_INCHES))))


def _broken(label: str, width: float) -> tuple[str, ...]:
    """A label, broken into text lines that fit into the panel."""
    return lines_that_fit(label, _room(width) - _HANDLE_INCHES, LEGEND_POINTS)


def _room(width: float) -> float:
    return width - 2 * TITLE_MARGIN_INCHES


def _lines(labels: Sequence[str], width: float) -> int:
    different = list(dict.fromkeys(labels))
    columns = _columns(different, width) if different else 1
    if columns == 1:
        return sum(len(_broken(label, width)) for label in different)
    return -(-len(different) // columns)
