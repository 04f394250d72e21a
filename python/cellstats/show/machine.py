"""Simulated machines as text, JSON, CSV and HTML.

The text shows the rings with the elements in their positions, and the interface between two chips.
The text also lists every value with its basis and source. For two machines, the text lists the
values in which they differ.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any, TypeAlias

from cellstats import _native
from cellstats.core.files import csv_table
from cellstats.measure.machine import Machine
from cellstats.placement.rings import GATE, SPE, Element, rings_of
from cellstats.show.documents import json_line
from cellstats.show.html_parts import paragraph, preformatted

BASES = tuple(_native.value_bases())
"""The possible bases of a value, in decreasing order of certainty."""

_VALUE_LETTERS_MAX = 16
"""Maximum length of a value that is shown beside its name. Longer values, such as rings, are on the
next text line."""

Row: TypeAlias = Mapping[str, Any]
SCHEMA_VERSION = 1
_BOTH = ("value", "basis", "range", "source")
_WIDTH_LEAST = 50
"""Minimum width of a ring in letters, which leaves room for the text inside the ring."""


def drawing(machine: Machine) -> list[str]:
    r"""The rings as lines of text, in clockwise order and with physical SPE numbers.

    SPEs that programs may not use are in parentheses. The rings of two chips are stacked. Each ring
    has its IOIF0 at the lower right, where the interface connects the two chips.

    >>> import cellstats as cs
    >>> print("\n".join(drawing(cs.machine("ps3"))))
      PPE --- SPE1 --- SPE3 --- SPE5 -- (SPE7) -- IOIF1
       |                                            |
       |  rings: 2 clockwise, 2 counter-clockwise,  |
       |         each 16 bytes a bus cycle          |
       |                                            |
      MIC --- SPE0 --- SPE2 --- SPE4 -- (SPE6) -- IOIF0
    """
    values = {row["key"]: row["value"] for row in machine.values()}
    inside = [
        f"rings: {values['eib.clockwise_rings']} clockwise, "
        f"{values['eib.counterclockwise_rings']} counter-clockwise,",
        f"each {values['eib.beat_bytes']} bytes a bus cycle",
    ]
    chips = [_labels(ring, machine.spes) for ring in rings_of(machine.native)]
    # All labels have the same width, so that the rings of all chips are equally wide.
    cell = max(len(label) for labels in chips for label in labels)
    if len(chips) == 1:
        lines = _ring(chips[0], cell, inside)
    else:
        named = ([f"Cell {chip}", *inside] for chip in range(len(chips)))
        rings = [_ring(labels, cell, text) for labels, text in zip(chips, named, strict=True)]
        lines = _joined(rings, values)
    return [line.rstrip() for line in lines]


def _labels(elements: Sequence[Element], usable: Sequence[int]) -> list[str]:
    """The labels of one chip in clockwise order, rotated so that IOIF0 is at the lower right."""
    labels = [
        element.kind
        if element.kind != SPE
        else (f"{element}" if element.number in usable else f"({element})")
        for element in elements
    ]
    corner = (len(labels) + 1) // 2
    shift = labels.index(GATE) - corner if GATE in labels else 0
    return labels[shift:] + labels[:shift]


def _ring(labels: Sequence[str], cell: int, inside: Sequence[str]) -> list[str]:
    """One ring with text inside. Each label is padded to `cell` letters."""
    columns = (len(labels) + 1) // 2
    top, bottom = labels[:columns], labels[columns:][::-1]
    # If the number of elements is odd, the lower left corner is empty.
    bottom = ["", *bottom] if len(bottom) < columns else bottom
    pitch = max(cell + 3, (_WIDTH_LEAST - cell) // (columns - 1))
    left, right = cell // 2, cell // 2 + pitch * (columns - 1)
    width = pitch * (columns - 1) + cell
    upright = "|".rjust(left + 1) + "|".rjust(right - left)
    lines = [_side(top, left, pitch, width), upright.ljust(width)]
    for text in inside:
        lines.append(upright[: left + 1] + text.center(right - left - 1) + "|".ljust(width - right))
    return [*lines, upright.ljust(width), _side(bottom, left, pitch, width)]


def _side(labels: Sequence[str], left: int, pitch: int, width: int) -> str:
    """A horizontal line through the labels, whose middles are `pitch` letters apart."""
    right = left + pitch * (len(labels) - 1)
    line = list("-".rjust(left + 1).ljust(right + 1, "-").ljust(width))
    for number, label in enumerate(labels):
        text = f" {label} " if label else "+"
        start = left + pitch * number - len(text) // 2
        for column, letter in enumerate(text, start):
            # The blank beside the label in a corner may be outside the text line.
            if 0 <= column < width:
                line[column] = letter
    return "".join(line)


def _joined(rings: Sequence[Sequence[str]], values: Mapping[str, Any]) -> list[str]:
    """Two stacked rings, with the interface drawn as a vertical line to the right of the rings."""
    width = len(rings[0][0])
    lane_gb_s = values["bif.lane_bytes_per_second"] / 1e9
    between = [""]
    for chip in (0, 1):
        lanes = values[f"bif.lanes_from_chip_{chip}"]
        text = f"to Cell {1 - chip}: {lanes} {'lane' if lanes == 1 else 'lanes'}"
        between.append(f"{text}, {lanes * lane_gb_s:g} GB/s")
    column = max(map(len, between))
    down = width + 4
    middle = [text.ljust(column).rjust(down - 2) + "  |" for text in [*between, ""]]
    (*upper, upper_side), (*lower, lower_side) = rings
    ends = [f"{side.rstrip()} ".ljust(down, "=") + "+" for side in (upper_side, lower_side)]
    beside = [line.ljust(down) + "|" for line in lower]
    return [*upper, ends[0], *middle, *beside, ends[1]]


def value_text(value: Any) -> str:
    """A value as text: numbers as in machine files, lists of SPEs in the format of `--spes`.

    >>> value_text(1130), value_text([0, 1, 2, 3, 8]), value_text(["PPE", "SPE0"])
    ('1_130', '0-3,8', 'PPE SPE0')
    """
    if isinstance(value, int):
        return f"{value:_}"
    if all(isinstance(each, str) for each in value):
        return " ".join(value)
    return ",".join(f"{a}-{b}" if a < b else str(a) for a, b in _runs(value))


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last number of each range of consecutive numbers."""
    first = 0
    for end in range(1, len(numbers) + 1):
        if end == len(numbers) or numbers[end] != numbers[end - 1] + 1:
            yield numbers[first], numbers[end - 1]
            first = end


def listing(machine: Machine, bases: Collection[str], width: int) -> str:
    """The title and the rings of a machine, and its values section by section.

    bases: only values with one of these bases are listed. The rings are drawn only if all values
    are listed.
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
    """A text line for each machine with its name and description."""
    width = max(len(each.name) for each in machines)
    return "".join(f"{each.name:<{width}}  {each.description}\n" for each in machines)


def title(machine: Machine) -> str:
    """The name of a machine, and its description if there is one."""
    return f"{machine.name}: {machine.description}" if machine.description else machine.name


def count(rows: Sequence[Row], everything: Sequence[Row]) -> str:
    """A text line with the number of values of each basis."""
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
        # A long range is continued on the next text line.
        known = basis(row["basis"], row["range"], row["interval"])
        yield from _wrapped(known, width, " " * len(start), start)
        if not cell:
            yield from _wrapped(text, width, " " * 6, " " * 6)
        for more in (row["meaning"], f"Source: {row['source']}"):
            yield from _wrapped(more, width, " " * 6, " " * 6)


def basis(word: str, limits: Sequence[int] | None, interval: Sequence[int] | None = None) -> str:
    """The basis of a value; for a guess, also its range and, if given, the interval whose values
    reproduce the published results equally well.

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
    """The values in which two machines differ, in columns. `verbose` adds basis and source."""
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
    """The text lines of each row: key, both values, unit. Long values continue on the next line."""
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
    """Wrap text to `width` letters. A longer word, such as a path, is not broken."""
    return wrap(
        _visible(text),
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _visible(text: str) -> str:
    """The text, with the control characters that a machine file may contain replaced by blanks."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def machines_json(machines: Sequence[Machine]) -> str:
    """A JSON object for each machine, one per line, with name, description and hash."""
    return "".join(json_line(_head(each)) for each in machines)


def machines_csv(machines: Sequence[Machine]) -> str:
    """CSV with a row for each machine: name, description and hash."""
    rows = [_head(each) for each in machines]
    return _csv(list(rows[0]), rows)


def machine_json(found: Machine, bases: Sequence[str]) -> str:
    """One JSON object with all values that have one of these bases."""
    about = {"schema": SCHEMA_VERSION, **_head(found), "chips": found.chips}
    return json_line(about | {"spes": found.spes, "values": _values(found, bases)})


def machine_csv(found: Machine, bases: Sequence[str]) -> str:
    """CSV with a row for each value that has one of these bases."""
    return _csv(list(found.values()[0]), _values(found, bases))


def difference_json(one: Machine, other: Machine) -> str:
    """One JSON object with all values in which two machines differ."""
    sides = (("a", one), ("b", other))
    heads = {f"{key}_{side}": text for side, each in sides for key, text in _head(each).items()}
    return json_line({"schema": SCHEMA_VERSION, **heads, "values": one.diff(other)})


def difference_csv(one: Machine, other: Machine) -> str:
    """CSV with a row for each value in which two machines differ."""
    columns = [f"{part}_{side}" for part in _BOTH for side in "ab"]
    return _csv(["key", "unit", *columns], one.diff(other))


def _head(found: Machine) -> dict[str, str]:
    columns = ("machine", "description", "machine_hash")
    return dict(zip(columns, (found.name, found.description, found.hash), strict=True))


def _values(found: Machine, bases: Sequence[str]) -> list[dict[str, Any]]:
    return [row for row in found.values() if row["basis"] in bases]


def _csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as CSV. If a cell has several numbers or names, they are separated by commas."""

    def cell(value: Any) -> Any:
        return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value

    return csv_table(columns, [{name: cell(row[name]) for name in row} for row in rows])


def machine_html(of: Machine) -> str:
    """The title, the rings, and the number of values of each basis."""
    everything = of.values()
    parts = [paragraph(title(of), strong=True), preformatted("\n".join(drawing(of)))]
    return "".join([*parts, paragraph(count(everything, everything))])
