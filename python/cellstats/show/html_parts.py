"""HTML elements for notebooks: tables of bounded size, preformatted text, and small pictures.

All text is escaped. The HTML needs no style sheet, script or network.
"""

import base64
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, TypeVar

from cellstats._native import UsageError
from cellstats.show.figures import png

if TYPE_CHECKING:
    from matplotlib.figure import Figure


ROWS_MAX = 20
"""Maximum number of rows shown. A longer table shows its first and its last `ROWS_MAX / 2`
rows."""
PICTURE_PX_MAX = 640
_DPI_MAX = 80
_CELL = "text-align: right; white-space: nowrap"
_FIRST = "text-align: left; white-space: nowrap"

Each = TypeVar("Each")


def ends(rows: Sequence[Each], most: int = ROWS_MAX) -> tuple[Sequence[Each], Sequence[Each], int]:
    """The first rows, the last rows, and the number of omitted rows between them.

    >>> ends(range(100), 4)
    (range(0, 2), range(98, 100), 96)
    >>> ends(range(3), 4)
    (range(0, 3), range(3, 3), 0)
    """
    if len(rows) <= most:
        return rows, rows[len(rows) :], 0
    half = most // 2
    return rows[:half], rows[-half:], len(rows) - 2 * half


def paragraph(text: str, *, strong: bool = False) -> str:
    """A line of text as an HTML paragraph."""
    inside = escape(text)
    return f"<p><strong>{inside}</strong></p>" if strong else f"<p>{inside}</p>"


def preformatted(text: str) -> str:
    """Preformatted text with aligned columns. Wide lines scroll. No background colour is set.

    >>> preformatted("a < b")
    '<pre style="line-height: 1.2; overflow-x: auto">a &lt; b</pre>'
    """
    return f'<pre style="line-height: 1.2; overflow-x: auto">{escape(text)}</pre>'


def table(
    head: Sequence[str],
    rows: Sequence[Each],
    cells: Callable[[Each], Sequence[str]],
    most: int = ROWS_MAX,
) -> str:
    """A table. A long table shows its first rows, its last rows, and the number of omitted rows.

    cells: function that returns the cells of a row; called only for rows that are shown.

    >>> "… 8 more" in table(["n"], range(10), lambda n: [str(n)], most=2)
    True
    """
    first, last, between = ends(rows, most)
    lines = [_row(head, "th"), *(_row(cells(row), "td") for row in first)]
    if between:
        more = f'<td colspan="{len(head)}" style="text-align: center">… {between} more</td>'
        lines += [f"<tr>{more}</tr>", *(_row(cells(row), "td") for row in last)]
    return "<table>" + "".join(lines) + "</table>"


def _row(cells: Sequence[str], tag: str) -> str:
    styles = (_FIRST if number == 0 else _CELL for number in range(len(cells)))
    inside = (
        f'<{tag} style="{style}">{escape(cell)}</{tag}>'
        for cell, style in zip(cells, styles, strict=True)
    )
    return f"<tr>{''.join(inside)}</tr>"


def picture(draw: "Callable[[], Figure]", what: str) -> str:
    """A figure as a small picture; empty if there is no figure or no matplotlib.

    what: description of the picture for readers who cannot see it.
    """
    try:
        figure = draw()
    except UsageError:
        return ""
    # Only here is it certain that matplotlib is there.
    from cellstats.show.notebook_figure import few_colours

    width = float(figure.get_size_inches()[0])
    pixels = png(figure, min(_DPI_MAX, PICTURE_PX_MAX / width))
    data = base64.b64encode(few_colours(pixels)).decode()
    return f'<p><img alt="{escape(what)}" src="data:image/png;base64,{data}"></p>'
