"""The look of panels: their letters, and titles in lines that fit, measured. Needs matplotlib."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from PIL.Image import Image

TITLE_POINTS = 11
TITLE_MARGIN_INCHES = 0.1
"""Left free beside titles, at both edges of a picture."""
_TITLE_LINE_INCHES = TITLE_POINTS * 1.3 / 72
DPI = 120
"""Pixels in an inch of a picture made of pixels."""
_SETTINGS = {
    "svg.hashsalt": "cellstats",
    "svg.fonttype": "none",  # letters stay letters: to be found, and to take a tenth of the room
    "font.size": 10,
    "axes.titlesize": TITLE_POINTS,
    "axes.titleweight": "bold",
    "axes.titley": 1.0,  # otherwise its place is computed, from all tick labels
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.alpha": 0.3,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "lines.markersize": 4.5,
}


def lines_that_fit(
    text: str, inches: float, points: float, weight: str = "normal"
) -> tuple[str, ...]:
    """The text in lines of at most this width; a longer word stays whole.

    >>> lines_that_fit("Latency of a get by its size", 1.5, 11)
    ('Latency of a get by', 'its size')
    """
    return tuple(_lines(text.split(), inches, points, weight))


def width_inches(text: str, points: float, weight: str = "normal") -> float:
    """The width of one line of text in the font of all pictures."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=points, weight=weight)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72


def _lines(words: list[str], inches: float, points: float, weight: str) -> Iterator[str]:
    line = ""
    for word in words:
        longer = f"{line} {word}".lstrip()
        if line and width_inches(longer, points, weight) > inches:
            yield line
            longer = word
        line = longer
    yield line


def heading(title: str, width: float) -> tuple[str, ...]:
    """The lines of a figure's title above its panels, which are as many inches wide."""
    return lines_that_fit(title, width - 2 * TITLE_MARGIN_INCHES, TITLE_POINTS)


def more_inches(title_lines: int) -> float:
    """What a title of several lines needs beyond the room for one."""
    return (title_lines - 1) * _TITLE_LINE_INCHES


def image(figure: "Figure") -> "Image":
    """What a figure looks like, as pixels."""
    import PIL.Image

    file = io.BytesIO()
    figure.savefig(file, format="rgba", dpi=DPI)
    width, height = (int(inches * DPI) for inches in figure.get_size_inches())
    return PIL.Image.frombytes("RGBA", (width, height), file.getvalue())


@contextmanager
def style() -> Iterator[None]:
    """One look for all pictures."""
    import matplotlib as mpl

    settings: Any = _SETTINGS
    with mpl.rc_context(settings):
        yield
