"""All panels of a figure in one picture, side by side below its title. Needs matplotlib.

The panels are put together as they are, built once for the page and for the file of pixels.
"""

import io
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, TypeVar

from cellstats.draw.chart_figures import DPI, Panel, across, image, style

if TYPE_CHECKING:
    from PIL.Image import Image

Each = TypeVar("Each")

_TITLE_INCHES = 0.45
_TITLE_PLACE = 0.6
"""Middle of the title's letters, of its height from above (SVG's base line) or from below."""
_HEAD = 72 * _TITLE_INCHES
_TITLE = 'text-anchor="middle" font-family="DejaVu Sans, sans-serif" font-size="12"'


def whole_svg(panels: Sequence[str], title: str) -> str:
    """All panels of a figure as an SVG file; `panels` are the elements that `Panel.svg` makes."""
    placed, top = [], _HEAD
    columns = across(len(panels))
    for row in _rows(panels):
        sizes = [_size(panel) for panel in row]
        for nth, (panel, (width, height)) in enumerate(zip(row, sizes, strict=True)):
            where = f'<svg x="{nth * width:g}" y="{top:g}" width="{width:g}" height="{height:g}"'
            placed.append(panel.replace("<svg", where, 1))
        top += max(height for _, height in sizes)
    width = columns * _size(panels[0])[0]
    name = f'<text x="{width / 2:g}" y="{_TITLE_PLACE * _HEAD:g}" {_TITLE}>{escape(title)}</text>'
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {top:g}">'
    return "\n".join([frame, name, *placed, "</svg>\n"])


def whole_png(panels: Sequence[Panel], title: str) -> bytes:
    """All panels of a figure as a PNG file."""
    import PIL.Image

    rows = [[panel.image() for panel in row] for row in _rows(panels)]
    width = max(sum(part.width for part in row) for row in rows)
    rows.insert(0, [_title(title, width)])
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


def _title(title: str, width: int) -> "Image":
    from matplotlib.figure import Figure

    with style():
        strip = Figure(figsize=(width / DPI, _TITLE_INCHES))
        strip.suptitle(title, y=_TITLE_PLACE, va="center")
        return image(strip)


def _rows(panels: Sequence[Each]) -> Iterator[Sequence[Each]]:
    columns = across(len(panels))
    for start in range(0, len(panels), columns):
        yield panels[start : start + columns]


def _size(panel: str) -> tuple[float, float]:
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', panel)
    assert box, "matplotlib says how large a picture is"
    return float(box[1]), float(box[2])
