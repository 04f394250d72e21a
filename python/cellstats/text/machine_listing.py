"""Machines as text: every value with its basis and source, and the differences between two."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any, TypeAlias

from cellstats import _native
from cellstats.machine import Machine
from cellstats.text.ring_drawing import drawing

BASES = ("documented", "measured", "derived", "fitted", "assumed")
"""Bases of values, the best known first."""

_VALUE_LETTERS_MAX = 16
"""A longer value, such as the elements of a ring, has lines of its own."""

Row: TypeAlias = Mapping[str, Any]


def value_text(value: Any) -> str:
    """A value as people read it; numbers as in machine files, SPEs as `--spes` takes them.

    >>> value_text(1130), value_text([0, 1, 2, 3, 8]), value_text(["PPE", "SPE0"])
    ('1_130', '0-3,8', 'PPE SPE0')
    """
    if isinstance(value, int):
        return f"{value:_}"
    if all(isinstance(each, str) for each in value):
        return " ".join(value)
    return ",".join(f"{a}-{b}" if a < b else str(a) for a, b in _runs(value))


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last number of each run of consecutive numbers."""
    first = 0
    for end in range(1, len(numbers) + 1):
        if end == len(numbers) or numbers[end] != numbers[end - 1] + 1:
            yield numbers[first], numbers[end - 1]
            first = end


def listing(machine: Machine, bases: Collection[str], width: int) -> str:
    """Head, ring and values of a machine, section by section.

    bases: of the values that are listed; the ring is drawn if all are.
    """
    everything = machine.values()
    rows = [row for row in everything if row["basis"] in bases]
    lines = [*_wrapped(title(machine), width), f"hash {machine.hash}", count(rows, everything)]
    inherited = sorted({row["base"] for row in everything if row["base"] is not None})
    if inherited and rows:
        lines.append(f"* from its own file; all others from {' and '.join(inherited)}")
    if len(rows) == len(everything):
        lines += ["", *("  " + line for line in drawing(machine))]
    for name, about in _native.machine_sections():
        section = [row for row in rows if row["key"].split(".")[0] == name]
        if section:
            lines += ["", *_wrapped(f"[{name}] {about}", width, "  "), ""]
            lines += _section(section, bool(inherited), width)
    return "\n".join(lines) + "\n"


def names(machines: Sequence[Machine]) -> str:
    """A line for each machine: its name and description."""
    width = max(len(each.name) for each in machines)
    return "".join(f"{each.name:<{width}}  {each.description}\n" for each in machines)


def title(machine: Machine) -> str:
    """The name of a machine, and its description if it has one."""
    return f"{machine.name}: {machine.description}" if machine.description else machine.name


def count(rows: Sequence[Row], everything: Sequence[Row]) -> str:
    """How many values there are of each basis, in a line."""
    number = Counter(row["basis"] for row in rows)
    each = ", ".join(f"{number[basis]} {basis}" for basis in BASES if number[basis])
    of = f"{len(rows)} of {len(everything)}" if len(rows) < len(everything) else len(rows)
    return f"{of} values: {each}" if rows else f"none of {len(everything)} values has such a basis"


def _section(rows: Sequence[Row], marked: bool, width: int) -> Iterator[str]:
    names = [row["key"].split(".")[1] for row in rows]
    texts = [value_text(row["value"]) for row in rows]
    short = [text if len(text) <= _VALUE_LETTERS_MAX else "" for text in texts]
    name_width, value_width = max(map(len, names)), max(map(len, short))
    unit_width = max(len(row["unit"]) for row in rows)
    for row, name, text, cell in zip(rows, names, texts, short, strict=True):
        mark = "*" if marked and row["base"] is None else " "
        start = f"{mark} {name:<{name_width}}  {cell:>{value_width}} {row['unit']:<{unit_width}}  "
        # A long range is continued on the next line.
        known = basis(row["basis"], row["range"], row["interval"])
        yield from _wrapped(known, width, " " * len(start), start)
        if not cell:
            yield from _wrapped(text, width, " " * 6, " " * 6)
        for more in (row["meaning"], f"Source: {row['source']}"):
            yield from _wrapped(more, width, " " * 6, " " * 6)


def basis(word: str, limits: Sequence[int] | None, interval: Sequence[int] | None = None) -> str:
    """The basis of a value, the range of a guess, and the interval that fits as well.

    >>> basis("fitted", (1, 1_000)), basis("documented", None)
    ('fitted, 1 to 1_000', 'documented')
    >>> basis("fitted", (1, 1_000), (4, 9))
    'fitted, 1 to 1_000, as good from 4 to 9'
    """
    known = word if limits is None else f"{word}, {limits[0]:_} to {limits[1]:_}"
    if interval is None:
        return known
    return f"{known}, as good from {interval[0]:_} to {interval[1]:_}"


def differences(a: Machine, b: Machine, verbose: bool, width: int) -> str:
    """The values in which two machines differ, side by side; `verbose` adds basis and source."""
    same = a.name == b.name
    titles = [f"A is {title(a)}", f"B is {title(b)}"] if same else [title(a), title(b)]
    head = [line for text in titles for line in _wrapped(text, width, "  ")]
    rows = a.diff(b)
    if not rows:
        return "\n".join([*head, "", f"all {len(a.values())} values are the same"]) + "\n"
    names = ("A", "B") if same else (_visible(a.name), _visible(b.name))
    cells = [("", *names, "unit"), *map(_cells, rows)]
    lines, *others = _side_by_side(cells, width)
    for row, more in zip(rows, others, strict=True):
        lines += [*more, *(_sources(row, names, width) if verbose else ())]
    count = f"{len(rows)} of {len(a.values())} values differ"
    return "\n".join([*head, "", *lines, "", count]) + "\n"


def _cells(row: Row) -> tuple[str, str, str, str]:
    return row["key"], value_text(row["value_a"]), value_text(row["value_b"]), row["unit"]


def _side_by_side(cells: Sequence[tuple[str, str, str, str]], width: int) -> list[list[str]]:
    """The lines of each row: key, both values, unit; long values are continued on the next line."""
    key_width, *lengths, unit_width = (max(map(len, each)) for each in zip(*cells, strict=True))
    room = max((width - key_width - unit_width - 6) // 2, 13)
    a_width, b_width = (min(length, room) for length in lengths)
    rows = []
    for key, a, b, unit in cells:
        lines = []
        for left, right in zip_longest(wrap(a, a_width), wrap(b, b_width), fillvalue=""):
            lines.append(
                f"{key:<{key_width}}  {left:>{a_width}}  {right:>{b_width}}  {unit}".rstrip()
            )
            key = unit = ""
        rows.append(lines)
    return rows


def _sources(row: Row, names: Sequence[str], width: int) -> Iterator[str]:
    for name, side in zip(names, "ab", strict=True):
        known = basis(row[f"basis_{side}"], row[f"range_{side}"])
        text = f"{name}: {known}; {row[f'source_{side}']}"
        yield from _wrapped(text, width, " " * 6, " " * 4)


def _wrapped(text: str, width: int, later: str = "", first: str = "") -> list[str]:
    """Lines of `width` letters at most; a longer word, such as a path, stays whole."""
    return wrap(
        _visible(text),
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _visible(text: str) -> str:
    """The text without control characters: a machine file may contain any."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
