"""The dependency graph of a crate's files, for `circles`.

A file uses another file if it contains a path, in a `use` or elsewhere, to an item that the other
file defines. A path begins with `crate`, `super`, `self`, a child module, or a name that the file
imports, explicitly or by `*`. A re-export (`pub use`) is followed to the file that defines the
item, and counts as a use only if the name also occurs elsewhere in the file. A `use` of a module
alone, such as `use crate::mfc;`, does not count. Macros are found by name anywhere in the crate.
Tests (`#[cfg(test)]`), comments and strings are ignored. An item of unknown origin, for example an
item defined by a macro, is attributed to the module in which it is looked up.

Nested block comments and included files are not supported.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_BLANKED = re.compile(
    r'#\[path = "[^"]*"|//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"'
    + r"|'(?:\\.[^']*|[^'\\\n])'",
    re.S,
)
_RAW = re.compile(r"\br#(?=\w)")
_TEST = re.compile(r"#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*")
_FIELD = re.compile(r"(?:pub(?:\([^)]*\))?\s+)?\w+\s*:(?!:)")
_ITEM = re.compile(
    r"\b(?:fn|struct|enum|trait|type|const|static|union)\s+"
    r"(?!(?:fn|unsafe|async|extern)\b)(?:mut\s+)?([A-Za-z_]\w*)"
)
_MACRO_RULES = re.compile(r"\bmacro_rules!\s*(\w+)")
_WORD = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_CHILD = re.compile(r'(?:#\[path = "([^"]+)"\]\s*(?:pub(?:\([^)]*\))?\s+)?)?\bmod\s+(\w+)\s*([;{])')
_USE = re.compile(r"(\bpub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);")
_PATH = re.compile(r"(?<![\w:])([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)+)\b(?!!)")
_MACRO = re.compile(r"\b(\w+)!\s*[(\[{]")

Path_ = tuple[str, ...]
"""Path of a module or item, relative to the crate's root. The root is `()`."""


@dataclass
class _Module:
    file: str
    text: str
    """The module's source, without inline child modules and without `use` declarations."""
    items: set[str] = field(default_factory=set)
    uses: dict[str, Path_] = field(default_factory=dict)
    """The unresolved path of each imported name."""
    globs: list[Path_] = field(default_factory=list)
    used: list[Path_] = field(default_factory=list)
    """The paths of all imports, except re-exports that the file itself does not use."""
    taken: list[Path_] = field(default_factory=list)
    """Modules and enums that are imported by `*` and not re-exported."""
    macros: set[str] = field(default_factory=set)


def graph(source: Path) -> dict[str, set[str]]:
    """For each file in the folder `source`, the files that it uses."""
    found: dict[str, set[str]] = {}
    for root in (source / "lib.rs", source / "main.rs", *sorted(source.glob("bin/*.rs"))):
        if root.exists():
            modules: dict[Path_, _Module] = {}
            _read(source, root, (), modules)
            for file, used in _used(modules):
                found.setdefault(file, set()).update(used - {None, file})
    return found


def _used(modules: dict[Path_, _Module]) -> Iterator[tuple[str, set[Any]]]:
    """For each module, its file and the files that it uses. `None` stands for other crates."""
    macros = {name: module.file for module in modules.values() for name in module.macros}
    for where, module in modules.items():
        used = {_file_of(modules, _absolute(modules, where, path)) for path in _paths(module)}
        used |= {
            macros.get(name) for name in _MACRO.findall(module.text) if name not in module.macros
        }
        words = set(_WORD.findall(module.text))
        for path in module.taken:
            base = _absolute(modules, where, path)
            if base in modules:
                names = words & _names(modules, base)
                used |= {_file_of(modules, (*base, name)) for name in names}
                used.add(modules[base].file)
            else:
                used.add(_file_of(modules, base))
        yield module.file, used


def _names(
    modules: dict[Path_, _Module], where: Path_, seen: frozenset[Path_] = frozenset()
) -> set[str]:
    """The names that `use module::*` imports, including private names."""
    module = modules[where]
    names = {*module.items, *module.uses}
    for glob in module.globs:
        base = _absolute(modules, where, glob)
        if base in modules and base not in seen:
            names |= _names(modules, base, seen | {where})
    return names


def _read(source: Path, file: Path, where: Path_, modules: dict[Path_, _Module]) -> None:
    text = _RAW.sub("", _BLANKED.sub(_blank, file.read_text("utf-8")))
    _add(source, file, where, _without_tests(text), modules)


def _blank(match: re.Match[str]) -> str:
    return match[0] if match[0].startswith("#") else "\n" * match[0].count("\n")


def _add(source: Path, file: Path, where: Path_, text: str, modules: dict[Path_, _Module]) -> None:
    while where in modules:  # another platform's file for the same module
        where = (*where[:-1], f"{where[-1]}'")
    own = modules[where] = _Module(str(file.relative_to(source)), "")
    at_top = not where or file.stem == "mod"
    folder = file.parent if at_top else file.with_suffix("")
    while child := _CHILD.search(text):
        name, end = child[2], child.end()
        if child[3] == "{":
            end = _closed(text, end)
            _add(source, file, (*where, name), text[child.end() : end - 1], modules)
        else:
            files = [folder / f"{name}.rs", folder / name / "mod.rs"]
            files = [file.parent / child[1]] if child[1] else files
            for found in (each for each in files if each.exists()):
                _read(source, found, (*where, name), modules)
        text = text[: child.start()] + text[end:]
    for exported, tree in _USE.findall(text):
        for path, name in _leaves(" ".join(tree.split()), ()):
            if name == "*":
                own.globs.append(path)
                own.taken += [] if exported else [path]
            else:
                own.uses[name] = path
                if not exported or re.search(rf"(?<![.\w]){name}\b", _USE.sub("", text)):
                    own.used.append(path)
    own.text = _USE.sub("", text)
    own.macros = set(_MACRO_RULES.findall(own.text))
    own.items = own.macros | set(_ITEM.findall(own.text))


def _without_tests(text: str) -> str:
    """The text without the items and fields that are only compiled for tests."""
    while test := _TEST.search(text):
        if _FIELD.match(text, test.end()):
            end = _field_end(text, test.end())
        else:
            ends = [at for at in (text.find(mark, test.end()) for mark in ";{") if at >= 0]
            end = min(ends, default=len(text) - 1) + 1
            if text[end - 1] == "{":
                end = _closed(text, end)
        text = text[: test.start()] + text[end:]
    return text


def _field_end(text: str, start: int) -> int:
    """The position after a field's comma, or before the closing bracket of the struct."""
    depth, at = 0, start
    while at < len(text) and depth >= 0 and (depth or text[at] != ","):
        arrow = text[at - 1 : at + 1] == "->"
        depth += text[at] in "([{<"
        depth -= text[at] in ")]}>" and not arrow
        at += 1
    return at - 1 if depth < 0 else at + 1


def _closed(text: str, start: int) -> int:
    """The position after the closing bracket. Its opening bracket is before `start`."""
    depth, at = 1, start
    while depth and at < len(text):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at


def _leaves(tree: str, before: Path_) -> Iterator[tuple[Path_, str]]:
    """The paths of a `use` declaration, each with the imported name."""
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


def _absolute(modules: dict[Path_, _Module], where: Path_, path: Path_) -> Path_ | None:
    """Resolve a path relative to the crate's root. Return None for an item of another crate."""
    seen: set[str] = set()
    while path and path[0] not in ("crate", "super", "self"):
        if (*where, path[0]) in modules:
            return (*where, *path)
        known = modules[where].uses.get(path[0])
        if path[0] in seen:
            return None
        if known is None:
            return _by_glob(modules, where, path)
        seen.add(path[0])
        path = (*known, *path[1:])
    at = where
    while path and path[0] in ("crate", "super", "self"):
        at = {"crate": (), "super": at[:-1], "self": at}[path[0]]
        path = path[1:]
    return (*at, *path)


def _by_glob(modules: dict[Path_, _Module], where: Path_, path: Path_) -> Path_ | None:
    """Resolve a path whose first name is imported by a `use module::*`."""
    for glob in modules[where].globs:
        if glob and glob[0] in ("crate", "super", "self"):
            base = _absolute(modules, where, glob)
            if base in modules and ((*base, path[0]) in modules or path[0] in modules[base].uses):
                return (*base, *path)
    return None


def _file_of(
    modules: dict[Path_, _Module], path: Path_ | None, seen: frozenset[Path_] = frozenset()
) -> str | None:
    """The file that defines an item. None for modules and for items of other crates."""
    if path is None or path in modules or path in seen:
        return None
    where: Path_ = ()
    while (*where, path[len(where)]) in modules:
        where = path[: len(where) + 1]
    module, name, rest = modules[where], path[len(where)], path[len(where) + 1 :]
    if name in module.items:
        return module.file
    if name in module.uses:
        target = _absolute(modules, where, (*module.uses[name], *rest))
        return _file_of(modules, target, seen | {path})
    for glob in module.globs:
        base = _absolute(modules, where, glob)
        if base in modules:
            inner = modules[base]
            if name in inner.items or name in inner.uses or (*base, name) in modules:
                return _file_of(modules, (*base, name, *rest), seen | {path})
    return module.file
