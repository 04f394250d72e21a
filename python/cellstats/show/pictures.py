"""The common style of all pictures: fonts, line breaks in titles, pixels, and compact SVG.

Needs matplotlib. The function `slim_svg` makes matplotlib's SVG small enough for a page with a
hundred pictures, and keeps letters as text. The function removes parts that have no visible effect:
names of groups, groups without attributes, decimals beyond a hundredth of a point, and a font list
for each text. Ids that are referenced are kept, and receive a prefix.
"""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from PIL.Image import Image


LEGEND_POINTS = 10
TITLE_POINTS = 11
TITLE_MARGIN_INCHES = 0.1
"""Free space at both sides of a title, up to the edges of the picture."""
_TITLE_LINE_INCHES = TITLE_POINTS * 1.3 / 72
DPI = 120
"""Number of pixels per inch of a PNG picture."""
_SETTINGS = {
    "svg.hashsalt": "cellstats",
    "svg.fonttype": "none",  # letters stay text: searchable, and a tenth of the size
    "font.size": 10,
    "axes.titlesize": TITLE_POINTS,
    "axes.titleweight": "bold",
    "axes.titley": 1.0,  # with None, matplotlib would compute the position from all tick labels
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.alpha": 0.3,
    "legend.fontsize": LEGEND_POINTS,
    "legend.frameon": False,
    "lines.markersize": 4.5,
}


def lines_that_fit(
    text: str, inches: float, points: float, weight: str = "normal"
) -> tuple[str, ...]:
    """The text, broken into lines of at most this width. A word that is wider is not broken.

    >>> lines_that_fit("Latency of a get by its size", 1.5, 11)
    ('Latency of a get by', 'its size')
    """
    return tuple(_lines(text.split(), inches, points, weight))


def width_inches(text: str, points: float, weight: str = "normal") -> float:
    """The width of a line of text in the font of all pictures."""
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
    """A figure's title, broken into text lines for panels with a total width of `width` inches."""
    return lines_that_fit(title, width - 2 * TITLE_MARGIN_INCHES, TITLE_POINTS)


def more_inches(title_lines: int) -> float:
    """The additional height of a title with `title_lines` lines, compared with one line."""
    return (title_lines - 1) * _TITLE_LINE_INCHES


def image(figure: "Figure") -> "Image":
    """The figure as pixels."""
    import PIL.Image

    file = io.BytesIO()
    figure.savefig(file, format="rgba", dpi=DPI)
    width, height = (int(inches * DPI) for inches in figure.get_size_inches())
    return PIL.Image.frombytes("RGBA", (width, height), file.getvalue())


@contextmanager
def style() -> Iterator[None]:
    """The settings of matplotlib for all pictures."""
    import matplotlib as mpl

    settings: Any = _SETTINGS
    with mpl.rc_context(settings):
        yield


_SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}href"
FONTS = "DejaVu Sans, Verdana, sans-serif"
_REFERENCE = re.compile(r"#([^)\"]+)")
_DECIMALS = re.compile(r"-?\d+\.\d{3,}")
_FONT = re.compile(r"font:\s*(?:(bold|\d{3})\s+)?([\d.]+px)[^;]*")
_LEFT_OUT = {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}
# Style rules that matplotlib writes into every group, although they are the defaults.
_DEFAULTS = {"stroke-linecap:butt", "stroke-linejoin:round", "fill-opacity:1", "stroke-opacity:1"}


def slim_svg(document: str, prefix: str) -> str:
    """An `<svg>` element that fills its container's width, with ids that begin with `prefix`."""
    root = ElementTree.fromstring(document)
    own = {each.get("id") for each in root.iter()}
    # References to elements of the page itself are not changed.
    used = {name for each in root.iter() for name in _references(each)} & own
    names = {name: f"{prefix}-{number}" for number, name in enumerate(sorted(used))}
    for each in root.iter():
        _slim(each, names)
    _slim_uses(root)
    _unwrap(root)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("font-family", FONTS)
    root.set("stroke-linejoin", "round")
    ElementTree.register_namespace("", _SVG)
    text = ElementTree.tostring(root, encoding="unicode")
    return re.sub(r">\s+<", "><", text)


def _references(element: Element) -> Iterator[str]:
    for name, value in element.attrib.items():
        if name == _XLINK or "url(#" in value:
            found = _REFERENCE.search(value)
            if found:
                yield found[1]


def _slim(element: Element, names: dict[str, str]) -> None:
    reference = element.attrib.pop(_XLINK, None)
    if reference is not None:
        element.set("href", reference)
    own = element.attrib.pop("id", None)
    if own in names:
        element.set("id", names[own])
    for name, value in element.attrib.items():
        if name == "href" or "url(#" in value:
            value = _REFERENCE.sub(lambda found: f"#{names.get(found[1], found[1])}", value)
        elif name != "id":
            value = _DECIMALS.sub(lambda found: f"{float(found[0]):.2f}", value)
        element.set(name, value)
    if "d" in element.attrib:
        path = re.sub(r"\s+", " ", element.attrib["d"]).strip()
        element.set("d", re.sub(r" ?([A-Za-z]) ?", r"\1", path))
    if "style" in element.attrib:
        _slim_style(element)


def _slim_style(element: Element) -> None:
    style = _FONT.sub(
        lambda found: f"font-size:{found[2]}" + (f";font-weight:{found[1]}" if found[1] else ""),
        element.attrib["style"],
    )
    rules = [re.sub(r"\s*:\s*", ":", rule.strip()) for rule in style.split(";")]
    kept = [
        rule
        for rule in rules
        if rule and rule not in _DEFAULTS and not rule.startswith("font-family:")
    ]
    element.attrib.pop("style")
    if kept:
        element.set("style", ";".join(kept))


def _slim_uses(root: Element) -> None:
    """Leave out the rules of `<use>` elements that the shape which they use has itself."""
    shapes = {f"#{each.get('id')}": _rules(each) for each in root.iter() if each.get("id")}
    for each in root.iter(f"{{{_SVG}}}use"):
        own = shapes.get(each.get("href", ""), {})
        kept = [rule for name, rule in _rules(each).items() if name not in own]
        each.attrib.pop("style", None)
        if kept:
            each.set("style", ";".join(kept))


def _rules(element: Element) -> dict[str, str]:
    """The rules of an element's style, by the name of their property."""
    rules = element.get("style", "").split(";")
    return {rule.partition(":")[0]: rule for rule in rules if rule}


def _unwrap(element: Element) -> None:
    """Replace groups without attributes by their contents."""
    children: list[Element] = []
    for child in element:
        _unwrap(child)
        if child.tag in _LEFT_OUT or (child.tag == f"{{{_SVG}}}defs" and not len(child)):
            continue
        if child.tag == f"{{{_SVG}}}g" and not child.attrib:
            children += list(child)
        else:
            children.append(child)
    element[:] = children
