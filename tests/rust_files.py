"""Which file of a crate uses which: the graph that `circles` looks at.

A file uses another one if a path in it, in a `use` or anywhere else, leads to an item that the
other one defines. Paths begin with `crate`, `super`, `self`, a child module, or a name that a `use`
of the file brings in. A re-export (`pub use`) is followed to the file that defines the item, and is
no use by itself; nor is a module that is only named, as by `use crate::mfc;`. Tests
(`#[cfg(test)]`), comments and texts are left out. A name that is defined nowhere by itself, as by a
macro, counts as the module's in which it is looked up.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_BLANKED = re.compile(
    r'//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"' + r"|'(?:\\.[^']*|[^'\\\n])'", re.S
)
_TEST = re.compile(r"#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*")
_ITEM = re.compile(
    r"\b(?:fn|struct|enum|trait|type|const|static|union)\s+(?:mut\s+)?([A-Za-z_]\w*)"
    r"|\bmacro_rules!\s*(\w+)"
)
_CHILD = re.compile(r"\bmod\s+(\w+)\s*([;{])")
_USE = re.compile(r"(\bpub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);")
_PATH = re.compile(r"(?<![\w:])([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)+)")
_MACRO = re.compile(r"(?<![\w:])crate::(\w+)!")

Path_ = tuple[str, ...]
"""A module or an item, from the crate's root on, which is `()`."""


@dataclass
class _Module:
    file: str
    text: str
    """Without children that are written in it, and without what is `use`d."""
    items: set[str] = field(default_factory=set)
    uses: dict[str, Path_] = field(default_factory=dict)
    """Names that a `use` brings in, by the path as it is written."""
    globs: list[Path_] = field(default_factory=list)
    used: list[Path_] = field(default_factory=list)
    """The paths of all that is not re-exported."""
    taken: list[Path_] = field(default_factory=list)
    """The modules all of which is brought in, and not re-exported."""


def graph(source: Path) -> dict[str, set[str]]:
    """The files below `source`, and the files that each of them uses."""
    modules: dict[Path_, _Module] = {}
    roots = [path for path in (source / "lib.rs", source / "main.rs") if path.exists()]
    for root in roots[:1]:
        _read(source, root, (), modules)
    found: dict[str, set[str]] = {module.file: set() for module in modules.values()}
    for place, module in modules.items():
        for path in _paths(module):
            target = _file_of(modules, _absolute(modules, place, path))
            found[module.file] |= set() if target is None else {target}
        whole = (_absolute(modules, place, path) for path in module.taken)
        found[module.file] |= {modules[path].file for path in whole if path in modules}
    return {file: used - {file} for file, used in found.items()}


def _read(source: Path, file: Path, place: Path_, modules: dict[Path_, _Module]) -> None:
    text = _BLANKED.sub(lambda match: "\n" * match[0].count("\n"), file.read_text("utf-8"))
    _add(source, file, place, _without_tests(text), modules)


def _add(source: Path, file: Path, place: Path_, text: str, modules: dict[Path_, _Module]) -> None:
    own = modules[place] = _Module(str(file.relative_to(source)), "")
    folder = file.parent if file.stem in ("lib", "main", "mod") else file.with_suffix("")
    while child := _CHILD.search(text):
        name, end = child[1], child.end()
        if child[2] == "{":
            end = _closed(text, end)
            _add(source, file, (*place, name), text[child.end() : end - 1], modules)
        else:
            files = (folder / f"{name}.rs", folder / name / "mod.rs")
            for found in (each for each in files if each.exists()):
                _read(source, found, (*place, name), modules)
        text = text[: child.start()] + text[end:]
    for exported, tree in _USE.findall(text):
        for path, name in _leaves(" ".join(tree.split()), ()):
            if name == "*":
                own.globs.append(path)
                own.taken += [] if exported else [path]
            else:
                own.uses[name] = path
                if not exported:
                    own.used.append(path)
    own.text = _USE.sub("", text)
    own.items = {name for match in _ITEM.findall(own.text) for name in match if name}


def _without_tests(text: str) -> str:
    """Without the items that are compiled for tests only."""
    while test := _TEST.search(text):
        ends = [at for at in (text.find(mark, test.end()) for mark in ";{") if at >= 0]
        end = min(ends, default=len(text) - 1) + 1
        if text[end - 1] == "{":
            end = _closed(text, end)
        text = text[: test.start()] + text[end:]
    return text


def _closed(text: str, start: int) -> int:
    """Behind the bracket that closes the one before `start`."""
    depth, at = 1, start
    while depth and at < len(text):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at


def _leaves(tree: str, before: Path_) -> Iterator[tuple[Path_, str]]:
    """The paths of a `use`, and what each is called afterwards."""
    head, brace, rest = tree.partition("{")
    path = (*before, *(part.strip() for part in head.split("::") if part.strip()))
    if brace:
        depth, part = 0, ""
        for letter in rest[: rest.rindex("}")] + ",":
            depth += {"{": 1, "}": -1}.get(letter, 0)
            if letter == "," and depth == 0:
                if part.strip():
                    yield from _leaves(part.strip(), path)
                part = ""
            else:
                part += letter
        return
    last, _, alias = path[-1].partition(" as ")
    path = path[:-1] if last in ("self", "*") and len(path) > 1 else (*path[:-1], last)
    yield path, alias.strip() or ("*" if last == "*" else path[-1])


def _paths(module: _Module) -> Iterator[Path_]:
    yield from module.used
    for written in _PATH.findall(module.text):
        yield tuple(part.strip() for part in written.split("::"))
    for name in _MACRO.findall(module.text):
        yield "crate", name


def _absolute(modules: dict[Path_, _Module], place: Path_, path: Path_) -> Path_ | None:
    """From the crate's root on; None for what is of another crate."""
    seen: set[str] = set()
    while path and path[0] not in ("crate", "super", "self"):
        if (*place, path[0]) in modules:
            return (*place, *path)
        known = modules[place].uses.get(path[0])
        if known is None or path[0] in seen:
            return None
        seen.add(path[0])
        path = (*known, *path[1:])
    at = place
    while path and path[0] in ("crate", "super", "self"):
        at = {"crate": (), "super": at[:-1], "self": at}[path[0]]
        path = path[1:]
    return (*at, *path)


def _file_of(
    modules: dict[Path_, _Module], path: Path_ | None, seen: frozenset[Path_] = frozenset()
) -> str | None:
    """The file that defines an item; None for a module as such, and for what is elsewhere."""
    if path is None or path in modules or path in seen:
        return None
    place: Path_ = ()
    while (*place, path[len(place)]) in modules:
        place = path[: len(place) + 1]
    module, name, rest = modules[place], path[len(place)], path[len(place) + 1 :]
    if name in module.items:
        return module.file
    if name in module.uses:
        target = _absolute(modules, place, (*module.uses[name], *rest))
        return _file_of(modules, target, seen | {path})
    for glob in module.globs:
        base = _absolute(modules, place, glob)
        if base in modules:
            inner = modules[base]
            if name in inner.items or name in inner.uses or (*base, name) in modules:
                return _file_of(modules, (*base, name, *rest), seen | {path})
    return module.file
