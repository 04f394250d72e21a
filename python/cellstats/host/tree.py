"""The operating system's own tables: the files of /proc and /sys, or a record of them.

All that is known of this computer is read through a `Tree`, so that a record of another computer
can replace it in tests. Paths have no slash at their beginning.

Left out: everything that takes a system call or an instruction; `_native` does that.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol


class Tree(Protocol):
    """Files by their paths from the root."""

    def text(self, path: str) -> str | None:
        """What a file holds, without blanks around it; None if it cannot be read."""

    def names(self, directory: str) -> list[str]:
        """The names in a directory, sorted; none if there is no such directory."""


class Files:
    """The files themselves, below a root."""

    __slots__ = ("root",)

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def text(self, path: str) -> str | None:
        """See `Tree`."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            # Absent, or readable by the administrator only.
            return None

    def names(self, directory: str) -> list[str]:
        """See `Tree`."""
        try:
            return sorted(entry.name for entry in (self.root / directory).iterdir())
        except OSError:
            return []


class Recorded:
    """A record: the text of each path.

    >>> Recorded({"sys/devices/system/cpu/online": "0-3"}).names("sys/devices/system")
    ['cpu']
    """

    __slots__ = ("_directories", "_texts")

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)
        self._directories: dict[str, set[str]] = {}
        for path in self._texts:
            while path:
                path, _, name = path.rpartition("/")
                self._directories.setdefault(path, set()).add(name)

    def text(self, path: str) -> str | None:
        """See `Tree`."""
        found = self._texts.get(path)
        return None if found is None else found.strip()

    def names(self, directory: str) -> list[str]:
        """See `Tree`."""
        return sorted(self._directories.get(directory.strip("/"), ()))


def whole_number(tree: Tree, path: str) -> int | None:
    """The number that a file holds; None if it holds none."""
    text = tree.text(path)
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def field(text: str | None, name: str) -> str | None:
    r"""The value of the first line `NAME: VALUE`, as in /proc/cpuinfo; None if there is none.

    >>> field("processor : 0\nmodel name : i7", "model name")
    'i7'
    """
    for line in (text or "").splitlines():
        key, colon, value = line.partition(":")
        if colon and key.strip() == name:
            return value.strip()
    return None


def cpu_list(text: str | None) -> tuple[int, ...]:
    """The CPUs of a list in the kernel's form; empty for any other text.

    >>> cpu_list("0-2,8"), cpu_list(""), cpu_list(None)
    ((0, 1, 2, 8), (), ())
    """
    numbers: list[int] = []
    for item in (text or "").split(","):
        first, _, last = item.strip().partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            return tuple(numbers)
        numbers += range(int(first), int(last or first) + 1)
    return tuple(numbers)


def as_list(cpus: "tuple[int, ...] | list[int]") -> str:
    """CPUs as a list in the kernel's form, as short as possible.

    >>> as_list((0, 1, 2, 8))
    '0-2,8'
    """
    spans: list[list[int]] = []
    for cpu in sorted(cpus):
        if spans and cpu == spans[-1][1] + 1:
            spans[-1][1] = cpu
        else:
            spans.append([cpu, cpu])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)
