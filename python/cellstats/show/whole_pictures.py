"""All panels of a figure in one picture, side by side below its title. Needs matplotlib.

Each panel is built once, for both the page and the files. This module combines the panels.
"""

import io
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

from cellstats.show.chart_figures import Panel, across
from cellstats.show.pictures import DPI, TITLE_POINTS, heading, image, more_inches, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Each = TypeVar("Each")

_TITLE_INCHES = 0.45
"""Height that a one-line title needs above the panels."""
_TITLE_MIDDLE = 0.6
"""Vertical position of the title, as a fraction of `_TITLE_INCHES`: in SVG, the distance of the
baseline from the top; in PNG, the distance of the middle of the text from the bottom."""
_LETTERS = f'text-anchor="middle" font-family="DejaVu Sans, sans-serif" font-size="{TITLE_POINTS}"'


def whole_svg(panels: Sequence[str], title: str) -> str:
    """All panels of a figure as an SVG file; `panels` are elements from `Panel.svg`."""
    width = across(len(panels)) * _size(panels[0])[0]
    head = heading(title, width / 72)
    placed, top = _svg_title(head, width), 72 * (_TITLE_INCHES + more_inches(len(head)))
    for row in _rows(panels):
        sizes = [_size(panel) for panel in row]
        for nth, (panel, (wide, high)) in enumerate(zip(row, sizes, strict=True)):
            where = f'<svg x="{nth * wide:g}" y="{top:g}" width="{wide:g}" height="{high:g}"'
            placed.append(panel.replace("<svg", where, 1))
        top += max(height for _, height in sizes)
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {top:g}">'
    return "\n".join([frame, *placed, "</svg>\n"])


def whole_png(panels: Sequence[Panel], title: str) -> bytes:
    """All panels of a figure as a PNG file."""
    import PIL.Image

    rows = [[panel.image() for panel in row] for row in _rows(panels)]
    width = max(sum(part.width for part in row) for row in rows)
    rows.insert(0, [image(title_strip(title, width / DPI))])
    heights = [max(part.height for part in row) for row in rows]
    whole = PIL.Image.new("RGBA", (width, sum(heights)), "white")
    for nth, row in enumerate(rows):
        left, top = 0, sum(heights[:nth])
        for part in row:
            whole.paste(part, (left, top))
            left += part.width
    file = io.BytesIO()
    whole.save(file, "png", dpi=(DPI, DPI))
    return file.getvalue()


def _svg_title(lines: Sequence[str], width: float) -> list[str]:
    base = 72 * _TITLE_INCHES * _TITLE_MIDDLE
    return [
        f'<text x="{width / 2:g}" y="{base + 72 * more_inches(nth + 1):g}" {_LETTERS}>'
        f"{escape(line)}</text>"
        for nth, line in enumerate(lines)
    ]


def title_strip(title: str, width: float) -> "Figure":
    """The title of a PNG file, in a strip as wide as the panels below it (`width` inches)."""
    from matplotlib.figure import Figure

    lines = heading(title, width)
    height = _TITLE_INCHES + more_inches(len(lines))
    with style():
        strip = Figure(figsize=(width, height))
        middle = (_TITLE_MIDDLE * _TITLE_INCHES + more_inches(len(lines)) / 2) / height
        looks: dict[str, Any] = {"va": "center", "fontsize": TITLE_POINTS, "parse_math": False}
        strip.suptitle("\n".join(lines), y=middle, **looks)
        return strip


def _rows(panels: Sequence[Each]) -> Iterator[Sequence[Each]]:
    columns = across(len(panels))
    for start in range(0, len(panels), columns):
        yield panels[start : start + columns]


def _size(panel: str) -> tuple[float, float]:
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', panel)
    assert box, "matplotlib says how large a picture is"
    return float(box[1]), float(box[2])
