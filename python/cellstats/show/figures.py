"""Figures as files. The same figure always results in the same bytes."""

import io
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cellstats._native import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 150


def png(figure: "Figure", dpi: float = _DPI) -> bytes:
    """A figure as the bytes of a PNG file with `dpi` pixels per inch."""
    return _bytes(figure, "png", {}, dpi)


def svg(figure: "Figure") -> bytes:
    """A figure as the bytes of an SVG file."""
    return _bytes(figure, "svg", {"Date": None})


def pdf(figure: "Figure") -> bytes:
    """A figure as the bytes of a PDF file."""
    return _bytes(figure, "pdf", {"CreationDate": None})


def _bytes(figure: "Figure", form: str, undated: dict[str, Any], dpi: float = _DPI) -> bytes:
    import matplotlib as mpl

    written = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "cellstats"}):
        figure.savefig(written, format=form, dpi=dpi, metadata=undated)
    return written.getvalue()


def figure_class() -> "Callable[..., Figure]":
    """The class of figures that notebooks can show. Raises UsageError if matplotlib is missing."""
    # The class does not use pyplot, which looks for a display and keeps every figure in memory.
    try:
        import_module("matplotlib.figure")
    except ImportError:
        raise UsageError(
            "plots need matplotlib; install it with: pip install 'cellstats[plot]'"
        ) from None
    from cellstats.show.notebook_figure import NotebookFigure

    return NotebookFigure
