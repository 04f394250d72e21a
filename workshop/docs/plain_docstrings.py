"""Converts the plain docstrings of this project for Sphinx.

`x` in single backquotes is code, with a link if it is a public name. Lines `name: meaning`, whose
continuations are indented, describe parameters. Other indented text is shown verbatim.
"""

import inspect
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import cellstats

_CODE = re.compile(r"``?([^`]+)``?(_?)")
_PARAMETER = re.compile(r"(\w+(?:, \w+)*): \S")
_SPECIAL = re.compile(r"(?<!\w)(\*\w[^*]*\w\*)(?!\w)|([\\*|]|_(?=\W|$))")
_ERROR = re.compile(r"\b(UsageError|RunError)\b")
_NAME = re.compile(r"[A-Za-z_][\w.]*")

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _process)
    app.connect("missing-reference", _find)
    return {"parallel_read_safe": True}


def _process(
    _app: Sphinx, what: str, name: str, thing: object, _options: object, lines: list[str]
) -> None:
    parameters = _parameters(thing) if what in ("function", "method", "class") else set()
    lines[:] = list(_converted(lines, parameters, name))


def _parameters(thing: object) -> set[str]:
    try:
        return set(inspect.signature(thing).parameters)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return set()


def _converted(lines: Sequence[str], parameters: set[str], where: str) -> Iterator[str]:
    """The paragraphs of a docstring, each as its lines."""
    for paragraph in _paragraphs(lines):
        first = paragraph[0]
        if first.startswith(">>>"):
            yield from paragraph
        elif first.startswith(" "):
            yield from ("::", "", *("   " + line for line in paragraph))
        elif _described(first, parameters):
            yield from _fields(paragraph, parameters, where)
        else:
            shown = [number for number, line in enumerate(paragraph) if line.startswith("  ")]
            cut = shown[0] if shown and not first.startswith(("- ", "* ")) else len(paragraph)
            yield from _marked("\n".join(paragraph[:cut]), where).split("\n")
            if cut < len(paragraph):
                yield from ("", "::", "", *("   " + line for line in paragraph[cut:]))
        yield ""


def _paragraphs(lines: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            part.append(line)
        elif part:
            yield part
            part = []


def _described(line: str, parameters: set[str]) -> list[str]:
    """The parameters (usually one) whose description begins on this line."""
    match = _PARAMETER.match(line)
    names = match[1].split(", ") if match else []
    return names if parameters.issuperset(names) else []


def _fields(paragraph: Sequence[str], parameters: set[str], where: str) -> Iterator[str]:
    """One field for each parameter; an ordinary sentence ends the fields."""
    entries: list[list[str]] = []
    for line in paragraph:
        if line.startswith(" "):
            entries[-1].append(line.strip())
        else:
            entries.append([line])
    for entry in entries:
        text = "\n".join(entry)
        names = _described(text, parameters)
        if names:
            first, *others = _marked(text.partition(": ")[2], where).split("\n")
            yield from (f":param {names[0]}: {first}", *("    " + line for line in others))
            yield from (f":param {name}: See ``{names[0]}``." for name in names[1:])
        else:
            yield from ("", *_marked(text, where).split("\n"))


def _marked(text: str, where: str) -> str:
    """Converts code and text separately."""
    parts, end = [], 0
    for match in _CODE.finditer(text):
        parts += [_plain(text[end : match.start()]), _code(match[1], where)]
        # Markup must be followed by a blank; an escaped blank is invisible.
        follows = text[match.end() : match.end() + 1]
        parts.append("\\ " if follows.isalnum() else "")
        end = match.end()
    return "".join([*parts, _plain(text[end:])])


def _plain(text: str) -> str:
    """Converts text without code: keeps *emphasis*, and links the names of our errors."""
    escaped = _SPECIAL.sub(lambda match: match[1] or "\\" + match[2], text)
    return _ERROR.sub(r":py:exc:`\1 <cellstats.\1>`", escaped)


def _code(text: str, where: str) -> str:
    if _NAME.fullmatch(text):
        if text.startswith("cellstats.") and not _exists(text):
            logger.warning("%s: `%s` is not there", where, text)
        for target in (text, f"cellstats.{text}"):
            name = target.removeprefix("cellstats.").partition(".")[0]
            if target.startswith("cellstats.") and name in (*cellstats.__all__, *cellstats.TYPES):
                return f":py:obj:`{text} <{target}>`"
    return f"``{text}``"


def _exists(path: str) -> bool:
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        try:
            for part in parts[cut:]:
                found = getattr(found, part)
        except AttributeError:
            return False
        return True
    return False


def _find(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.TextElement
) -> nodes.Node | None:
    """The public name of a type of this package, under which it is described."""
    target = str(node.get("reftarget", ""))
    if node.get("refdomain") != "py":
        return None
    objects = env.domains.python_domain.objects
    head, _, last = target.rpartition(".")
    known = [name for name in objects if name.rpartition(".")[2] == last]
    found = f"cellstats.{last}" if f"cellstats.{last}" in known else next(iter(known), None)
    if found is not None and (not head or head.startswith("cellstats")):
        node["reftarget"] = found
        domain = env.domains.python_domain
        return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", found, node, shown)
    if _exists(target) or not head or not head.startswith("cellstats"):
        return shown  # a type of another package, or a private one
    return None
