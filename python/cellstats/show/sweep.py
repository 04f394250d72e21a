"""The results of a sweep in a notebook: the picture, and the table."""

from typing import Any

from cellstats.measure.sweeps import Sweep
from cellstats.show.by_type import html, text
from cellstats.show.html_parts import paragraph, picture, table
from cellstats.show.tables import cells, text_columns, text_table, title

PICTURE_ROWS_MAX = 2000
"""A picture of more results takes longer than people wait for one that nobody asked for."""


@text.register
def _text(of: Sweep[Any]) -> str:
    return text_table(of)


@html.register
def _html(of: Sweep[Any]) -> str:
    """The picture of a sweep, and its table."""
    if not of:
        return paragraph("no results")
    columns = text_columns(of)
    shown = [paragraph(f"{title(of, shown=columns)}: {len(of)} results")]
    if len(of) <= PICTURE_ROWS_MAX:
        shown.append(picture(of.plot, "the sweep as lines"))
    return "".join([*shown, table(columns, of, lambda each: cells(each, columns))])
