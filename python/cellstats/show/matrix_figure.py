"""A matrix as a heat map, which is also legible in shades of grey. Needs matplotlib."""

import math
from typing import TYPE_CHECKING, Any

from cellstats.host.matrices import HostMatrix
from cellstats.measure.matrices import Matrix
from cellstats.show.figures import figure_class
from cellstats.show.matrix import Scale, marks, meant, scale
from cellstats.show.tables import title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MATRIX_INCHES_MAX = 12.0
_NUMBERED_MAX = 24


def matrix_figure(matrix: Matrix | HostMatrix) -> "Figure":
    """A heat map with a row for each initiator, a column for each partner, and a number in each
    cell.

    If there are too many cells for numbers, the cells are only coloured. Colours range from the
    lowest to the highest value, and the label of the colour bar states the difference between these
    two values. If all values differ only by noise, all cells have the same colour. Cells have
    marks as in the text, which the label of the columns explains.
    """
    count = len(matrix.labels)
    # The cells of larger matrices are narrower.
    side = 2.2 + min((0.65 if count <= 8 else 0.5) * count, _MATRIX_INCHES_MAX)
    figure = figure_class()(figsize=(side + 1.2, side), layout="constrained")
    axes = figure.add_subplot()
    draw_matrix(figure, axes, matrix)
    axes.set_title(title(list(matrix.results.values()), shown=["spes", "placement"]))
    return figure


def draw_matrix(figure: "Figure", axes: "Axes", matrix: Matrix | HostMatrix) -> None:
    """Draw the heat map and its colour bar."""
    count = len(matrix.labels)
    nan = float("nan")
    ends = scale(matrix)
    cells = [[nan if value is None else ends.part(value) for value in row] for row in matrix.values]
    image = axes.imshow(cells, cmap="cividis", vmin=0, vmax=1)
    axes.set_facecolor("0.9")  # the diagonal: no core communicates with itself
    decimals = _decimals(min(ends.high - ends.low, ends.low))
    letters = marks(matrix)
    if count > _NUMBERED_MAX:  # there is no room for the marks of estimates
        letters = [[each if each in ("~", "!") else "" for each in row] for row in letters]
    for i, row in enumerate(matrix.values):
        for j, value in enumerate(row):
            if value is not None and count <= _NUMBERED_MAX:
                # The bright end of cividis needs dark letters.
                shade = "black" if ends.part(value) > 0.55 else "white"
                where: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": "small"}
                axes.text(j, i, f"{value:.{decimals}f}{letters[i][j]}", color=shade, **where)
            elif letters[i][j]:
                axes.plot(j, i, marker=f"${letters[i][j]}$", color="red", markersize=4)
    for index, _ in matrix.boundaries:
        axes.axhline(index - 0.5, color="white", linewidth=1.5)
        axes.axvline(index - 0.5, color="white", linewidth=1.5)
    ticks = range(0, count, 1 + (count - 1) // _NUMBERED_MAX)
    axes.set_xticks(ticks, [str(matrix.labels[tick]) for tick in ticks])
    axes.tick_params(axis="x", labelrotation=90 if count > _NUMBERED_MAX else 0)
    axes.set_yticks(ticks, [str(matrix.labels[tick]) for tick in ticks])
    axes.set_xlabel("\n".join([f"Partner ({matrix.element})", *meant(letters)]))
    axes.set_ylabel(f"Initiator ({matrix.element})")
    name = matrix.quantity.split("_")[0].capitalize()
    bar = figure.colorbar(image, ax=axes, label=f"{name} ({matrix.unit})\n{ends.words()}")
    positions, labels = _bar_ticks(ends, decimals)
    bar.set_ticks(positions, labels=labels)


def _bar_ticks(ends: Scale, decimals: int) -> tuple[list[float], list[str]]:
    """The labelled positions on the colour bar (0 to 1, including both ends), and their values."""
    low, high = ends.low, ends.high
    if ends.alike:
        both = dict.fromkeys(f"{value:.{decimals}f}" for value in (low, high))
        return [0.5], ["\nto\n".join(both)]
    positions = [nth / 4 for nth in range(5)]
    return positions, [f"{low + each * (high - low):.{decimals}f}" for each in positions]


def _decimals(spread: float) -> int:
    """The number of decimals (0 to 3) needed to show the spread of the values with two digits."""
    return 1 if spread <= 0 else min(3, max(0, 1 - math.floor(math.log10(spread))))
