"""Figures that notebooks show. Needs matplotlib."""

import io
from typing import Any

from matplotlib.figure import Figure

from cellstats.show.html_parts import few_colours

_DPI = 80


class NotebookFigure(Figure):
    """A figure that a notebook shows as the value of a cell.

    Without this class, notebooks show only figures of pyplot, which looks for a display and keeps
    every figure in memory.
    """

    def _repr_png_(self) -> bytes:
        written = io.BytesIO()
        options: dict[str, Any] = {"format": "png", "dpi": _DPI}
        self.savefig(written, **options)
        return few_colours(written.getvalue())
