"""Find import cycles. No file may import itself, directly or through other files.

In Rust, the rule also applies to the modules of each directory. A module is a file together with
the directory of the same name. For the Python package, `pyproject.toml` also contains a contract
about layers.

    python workshop/circles.py            all cycles of the Python package and of every crate
    python workshop/circles.py crates/cell   only the cycles of this crate

In Python, every `import` of one of the package's modules counts, whether at the top, in a function,
or below `if TYPE_CHECKING`, and whether absolute or relative (`from . import`). `from package
import name` counts as an import of the module `name` if it exists, and otherwise of the package. A
package's `__init__` counts only if the package itself is imported. Python also runs `__init__` when
it imports a module of the package. This does not count, because no name is taken from `__init__`.
Dynamic imports (`import_module`) do not count.

The rules for Rust are in `rust_files`. The output names all files of each cycle. To break a cycle,
at least one of its files must change.
"""

import ast
import sys
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

import rust_files
from borders import USES

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "cellstats"
Graph = Mapping[str, set[str]]
"""For each file, the files that it imports."""


def python_graph(package: Path) -> dict[str, set[str]]:
    """The imports between the modules of a package, by full module name."""
    files: dict[str, list[Path]] = {}
    for path in sorted([*package.rglob("*.pyi"), *package.rglob("*.py")]):
        name = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        files.setdefault(name.removesuffix(".__init__"), []).append(path)
    return {
        name: {found for path in paths for found in _imported(name, path, files)} - {name}
        for name, paths in files.items()
    }


def _imported(importing: str, path: Path, known: Container[str]) -> Iterator[str]:
    room = importing.split(".") if path.stem == "__init__" else importing.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = room[: len(room) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            within = [f"{module}.{alias.name}" for alias in node.names]
            names = [name if name in known else module for name in within]
        yield from (name for name in names if name in known)


def circles(graph: Graph) -> list[list[str]]:
    """The groups of files in which every file imports all others, directly or indirectly.

    >>> circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}})
    [['b', 'c']]
    """
    reached = {name: _reached(graph, name) for name in graph}
    groups = {
        tuple(sorted({name} | {other for other in reached[name] if name in reached[other]}))
        for name in graph
        if name in reached[name]
    }
    return [list(group) for group in sorted(groups)]


def _reached(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph[name]
    return found


def offences(where: str, graph: Graph, what: str = "files") -> Iterator[str]:
    """A message for each import cycle."""
    for circle in circles(graph):
        yield f"{where}: {len(circle)} {what} import each other in a circle: {', '.join(circle)}"


def modules(graph: Graph, folder: Path) -> dict[str, set[str]]:
    """The module graph of a directory, in which `a.rs` and all files in `a/` are the module `a`.

    >>> modules({"a.rs": {"b.rs"}, "b.rs": set(), "b/c.rs": {"a/d.rs"}, "a/d.rs": set()}, Path())
    {'a': {'b'}, 'b': {'a'}}
    """

    def module(file: str) -> str:
        path = Path(file).with_suffix("")
        inside = path.relative_to(folder).parts if path.is_relative_to(folder) else ()
        return inside[0] if inside else ""

    folded: dict[str, set[str]] = {}
    for file, used in graph.items():
        folded.setdefault(module(file), set()).update(map(module, used))
    return {name: used - {name, ""} for name, used in folded.items() if name}


def python_offences() -> Iterator[str]:
    """A message for each import cycle in the Python package."""
    yield from offences("python/cellstats", python_graph(PACKAGE))


def rust_offences(where: str) -> Iterator[str]:
    """A message for each import cycle in a crate, which is given by its directory."""
    files = rust_files.graph(ROOT / where / "src")
    yield from offences(where, files)
    for folder in sorted({parent for file in files for parent in Path(file).parents}):
        yield from offences(f"{where}/src/{folder}", modules(files, folder), "modules")


def all_offences() -> Iterator[str]:
    """A message for each import cycle in the Python package and in every crate."""
    yield from python_offences()
    for crate in sorted(USES):
        yield from rust_offences(crate)


def main(crates: list[str]) -> int:
    """Print all import cycles. Return the exit status: 1 if there is a cycle."""
    some = [line for crate in crates for line in rust_offences(crate)]
    found = some if crates else list(all_offences())
    print("\n".join(found) or "no circles")
    return min(len(found), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
