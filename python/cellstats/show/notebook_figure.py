"""Figures that notebooks show. Needs matplotlib."""

import io
from typing import Any

import PIL.Image  # matplotlib needs Pillow anyway
from matplotlib.figure import Figure

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


def few_colours(pixels: bytes) -> bytes:
    """Reduce a PNG file to a palette, so that it takes a third of the space in a notebook."""
    file = io.BytesIO()
    with PIL.Image.open(io.BytesIO(pixels)) as image:
        image.convert("RGB").quantize(64).save(file, "png", optimize=True)
    return file.getvalue()
