"""Matplotlib's SVG made small enough for a page of a hundred pictures, its letters kept as text.

Left out is what nobody sees: names of groups, groups without attributes, decimals beyond a
hundredth of a point, a list of fonts for each text. Ids that something refers to stay, with a
prefix.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}href"
FONTS = "DejaVu Sans, Verdana, sans-serif"
_REFERENCE = re.compile(r"#([^)\"]+)")
_DECIMALS = re.compile(r"-?\d+\.\d{3,}")
_FONT = re.compile(r"font:\s*(?:(bold|\d{3})\s+)?([\d.]+px)[^;]*")
_LEFT_OUT = {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}
# What all matplotlib's groups say, and what is the rule anyway.
_DEFAULTS = {"stroke-linecap:butt", "stroke-linejoin:round", "fill-opacity:1", "stroke-opacity:1"}


def slim_svg(document: str, prefix: str) -> str:
    """An `<svg>` element, as wide as what it is in; its ids begin with `prefix`."""
    root = ElementTree.fromstring(document)
    used = {name for each in root.iter() for name in _references(each)}
    names = {name: f"{prefix}-{number}" for number, name in enumerate(sorted(used))}
    for each in root.iter():
        _slim(each, names)
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
            value = _REFERENCE.sub(lambda found: f"#{names[found[1]]}", value)
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


def _unwrap(element: Element) -> None:
    """Replace groups without attributes by what is in them."""
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
