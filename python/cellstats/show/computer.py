"""This computer as text, JSON, CSV and a picture, and the findings of the doctor.

All formats show packages, NUMA nodes, caches and cores as nested boxes. In the picture of a
placement, CPUs with a thread are highlighted, and arrows lead from thread to thread. An arrow is
wider if the messages have more bytes. Arrows in opposite directions bend to different sides.
Pictures need matplotlib.
"""

import itertools
import math
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cellstats.core.files import csv_table
from cellstats.core.refusal import refusal
from cellstats.core.words import printable
from cellstats.host.computer import CORE, Computer, Part, computer
from cellstats.host.cpu_placement import HostPlaced, MatrixLike, is_of
from cellstats.host.disturbances import CAUSES
from cellstats.host.doctor import Finding
from cellstats.host.environment import digest
from cellstats.host.host_machine import HostMachine
from cellstats.host.message_costs import traffic
from cellstats.host.topology import as_list
from cellstats.show.documents import json_line
from cellstats.show.figures import figure_class
from cellstats.show.wheel import THREAD, short_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_GLUE = "\N{NO-BREAK SPACE}"
Message = tuple[int, int, int]
"""Source CPU, destination CPU and number of bytes."""
# Sizes in inches: side of a CPU, margin inside a box, gap between boxes, height of a text line.
_CPU, _PAD, _GAP, _LINE = 0.42, 0.1, 0.12, 0.24
_CORE_LINES = 3
_CORE_WIDTH_MIN = 0.98
_ASPECT = 1.7
_HEAD, _FOOT = 0.45, 0.4
_INCHES_MAX = 40.0
_GREYS = {"package": "0.93", "NUMA node": "0.86", "die": "0.90", CORE: "0.97"}
_CACHE_GREY = "0.79"
_ARROW = "0.15"


def computer_text(found: Computer, width: int = 80) -> str:
    """A text line for each box and for each group of equal cores, at most `width` letters long."""
    lines = [digest(dict(found.environment)), ""]
    for part in found.parts:
        lines += _lines(part, 0, width)
    more = len(found.topology.online) - len(found.topology.cpus)
    lines += [f"{more} more online CPUs are not available to this process"] if more else []
    lines += [f"not known here: {what}" for what in found.topology.unknown]
    return "\n".join(lines) + "\n"


def computer_json(found: Computer) -> str:
    """One JSON object that contains the nested boxes."""
    return json_line(found.to_dict())


def computer_csv(found: Computer) -> str:
    """CSV with a row for each CPU."""
    rows = found.rows()
    return csv_table(list(rows[0]), rows)


def size(bytes_: int) -> str:
    """The size of a cache as text with a unit.

    >>> size(32 << 10), size(1280 << 10), size(16 << 20)
    ('32 KB', '1.25 MB', '16 MB')
    """
    return f"{bytes_ / (1 << 20):g} MB" if bytes_ >= 1 << 20 else f"{bytes_ / 1024:g} KB"


def heading(part: Part) -> str:
    """The name of a box."""
    if part.size_bytes is not None:
        return f"{part.kind} {size(part.size_bytes)}"
    return part.kind if part.number is None else f"{part.kind} {part.number}"


def caches(core: Part) -> str:
    """The caches of a core as text; empty if the caches are unknown."""
    return ", ".join(f"L{level} {size(bytes_)}" for level, bytes_ in core.caches)


def _lines(part: Part, depth: int, width: int) -> Iterator[str]:
    yield "  " * depth + heading(part)
    for alike, group in itertools.groupby(part.parts, _look):
        if alike is None:
            for inner in group:
                yield from _lines(inner, depth + 1, width)
        else:
            yield from _cores(list(group), depth + 1, width)


def _look(part: Part) -> tuple[object, ...] | None:
    """The key by which equal cores are grouped into one text line; None for other boxes."""
    return (part.core_kind, part.caches) if part.kind == CORE else None


def _cores(cores: Sequence[Part], depth: int, width: int) -> list[str]:
    one = cores[0]
    if all(len(core.cpus) == 1 for core in cores):
        names = as_list([core.cpus[0] for core in cores])
    else:
        names = ", ".join("+".join(map(str, core.cpus)) for core in cores)
    each = "each " if len(cores) > 1 else ""
    own = f"; {each}{caches(one)}" if one.caches else ""
    text = f"{len(cores)} {kind_of(one)}{'s' * (len(cores) > 1)}: CPU {names}{own}"
    indent = "  " * depth
    # A line break must not separate a size from its unit.
    wrapped = textwrap.wrap(
        re.sub(r" (?=[KM]B)", _GLUE, text),
        max(width, 40),
        initial_indent=indent,
        subsequent_indent=indent + "    ",
    )
    return [line.replace(_GLUE, " ") for line in wrapped]


def kind_of(core: Part) -> str:
    """The kind of a core: a name, or its capacity relative to the fastest core, which has 1024."""
    kind = core.core_kind
    return "core" if kind is None else f"{kind} core" if kind[0].isalpha() else f"{kind}/1024 core"


def doctor_text(findings: Sequence[Finding], environment: Mapping[str, Any]) -> str:
    """The environment, the findings, and the remedy for each reason that a result may name."""
    lines = [digest(dict(environment))]
    for each in findings:
        head = "spoils" if each.spoils else "hint"
        lines += ["", f"{head}: {each.what}", f"  why:  {each.why}", f"  mend: {each.mend}"]
    if not findings:
        lines += ["", "Nothing was found that would spoil a measurement."]
    lines += ["", "If a result says that"]
    lines += [f"- {each.says}: {each.mend}" for each in CAUSES.values()]
    return printable("\n".join(lines) + "\n")


def doctor_json(findings: Sequence[Finding], environment: Mapping[str, Any]) -> str:
    """The findings and the environment as one JSON object."""
    reasons = [each._asdict() for each in CAUSES.values()]
    found = [asdict(each) for each in findings]
    return json_line({"findings": found, "reasons": reasons, "environment": environment})


@dataclass(frozen=True)
class _Box:
    """A part of the computer as a drawn box, with its size in inches.

    inside: each inner box, with the x and y of its position from the lower left corner of this box.
    """

    part: Part
    width: float
    height: float
    inside: tuple[tuple[float, float, "_Box"], ...]


_Arranged = tuple[tuple[tuple[float, float, _Box], ...], float, float]
"""Boxes with their positions (x and y), and the total width and height of the arrangement."""


def computer_figure(
    computer: Computer,
    title: str,
    threads: Mapping[int, str] | None = None,
    messages: Sequence[Message] = (),
) -> "Figure":
    """Draw the boxes of a computer.

    threads: the name of the thread on each CPU; CPUs without a thread are absent.
    """
    boxes, width, height = _arranged(computer.parts)
    inches = (width + 2 * _PAD, height + _HEAD + (_FOOT if messages else _PAD))
    shrink = min(1.0, _INCHES_MAX / max(inches))
    figure = figure_class()(figsize=(max(inches[0] * shrink, 4.0), inches[1] * shrink))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, inches[0]), ylim=(0, inches[1]))
    axes.set_axis_off()
    axes.set_aspect("equal")
    centres: dict[int, tuple[float, float]] = {}
    for x, y, box in boxes:
        _draw(axes, box, x + _PAD, y + inches[1] - height - _HEAD, threads or {}, centres, shrink)
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontweight": "bold"}
    letters = min(12.0, 115 * inches[0] * shrink / max(len(title), 1))
    axes.text(
        inches[0] / 2, inches[1] - _HEAD / 2, title, fontsize=letters, parse_math=False, **style
    )
    if messages:
        _arrows(axes, messages, centres, shrink)
        widest = f"widest arrow: {short_bytes(max(size for *_, size in messages))} bytes"
        axes.text(inches[0] / 2, _FOOT / 2, widest, ha="center", va="center", fontsize=9 * shrink)
    return figure


def _arranged(parts: Sequence[Part]) -> _Arranged:
    """Arrange boxes in rows from the top left."""
    kinds = [list(group) for _, group in itertools.groupby(parts, lambda part: part.kind)]
    if len(kinds) != 1:
        return _stacked([_arranged(kind) for kind in kinds])
    boxes = [_box(part) for part in parts]
    wide, high = max(box.width for box in boxes), max(box.height for box in boxes)
    columns = max(1, min(len(boxes), round(math.sqrt(len(boxes) * _ASPECT * high / wide))))
    # All rows have about equal length, so that the last row is not a single box.
    columns = -(-len(boxes) // -(-len(boxes) // columns))
    rows = [boxes[start : start + columns] for start in range(0, len(boxes), columns)]
    total = sum(max(box.height for box in row) for row in rows) + _GAP * (len(rows) - 1)
    placed: list[tuple[float, float, _Box]] = []
    y, width = total, 0.0
    for row in rows:
        tallest, x = max(box.height for box in row), 0.0
        for box in row:
            placed.append((x, y - box.height, box))
            x += box.width + _GAP
        width = max(width, x - _GAP)
        y -= tallest + _GAP
    return tuple(placed), width, total


def _stacked(blocks: Sequence[_Arranged]) -> _Arranged:
    """Stack blocks of boxes vertically. Each block has boxes of one kind, such as single cores."""
    height = sum(block[2] for block in blocks) + _GAP * max(len(blocks) - 1, 0)
    placed, top = [], height
    for boxes, _, tall in blocks:
        placed += [(x, y + top - tall, box) for x, y, box in boxes]
        top -= tall + _GAP
    return tuple(placed), max((block[1] for block in blocks), default=0.0), height


def _box(part: Part) -> _Box:
    if part.kind == CORE:
        width = max(len(part.cpus) * _CPU + 2 * _PAD, _CORE_WIDTH_MIN)
        return _Box(part, width, _CPU + _CORE_LINES * _LINE * 0.8 + 2 * _PAD, ())
    inside, width, height = _arranged(part.parts)
    heading_width = 0.085 * len(heading(part))
    return _Box(
        part, max(width, heading_width) + 2 * _PAD, height + _LINE + 2 * _PAD, tuple(inside)
    )


def _draw(
    axes: "Axes",
    box: _Box,
    x: float,
    y: float,
    threads: Mapping[int, str],
    centres: dict[int, tuple[float, float]],
    shrink: float,
) -> None:
    from matplotlib.patches import Rectangle

    grey = _GREYS.get(box.part.kind, _CACHE_GREY)
    axes.add_patch(
        Rectangle((x, y), box.width, box.height, facecolor=grey, edgecolor="0.3", linewidth=0.8)
    )
    top = y + box.height - _PAD - _LINE / 2
    if box.part.kind != CORE:
        axes.text(x + _PAD, top, heading(box.part), va="center", fontsize=9 * shrink)
        for dx, dy, inner in box.inside:
            _draw(axes, inner, x + _PAD + dx, y + _PAD + dy, threads, centres, shrink)
        return
    for nth, line in enumerate(_core_lines(box.part)):
        at = y + box.height - _PAD - _LINE * 0.8 * (nth + 0.5)
        axes.text(x + box.width / 2, at, line, ha="center", va="center", fontsize=7 * shrink)
    left = x + (box.width - len(box.part.cpus) * _CPU) / 2
    for nth, cpu in enumerate(box.part.cpus):
        corner = (left + nth * _CPU + 0.03, y + _PAD)
        has_thread = cpu in threads
        side = _CPU - 0.06
        axes.add_patch(
            Rectangle(
                corner,
                side,
                side,
                facecolor=THREAD if has_thread else "white",
                edgecolor="black",
                linewidth=2.0 if has_thread else 0.6,
            )
        )
        centres[cpu] = (corner[0] + side / 2, corner[1] + side / 2)
        label = f"{cpu}\n{threads[cpu]}" if has_thread else str(cpu)
        axes.text(*centres[cpu], label, ha="center", va="center", fontsize=7.5 * shrink)


def _core_lines(core: Part) -> Iterator[str]:
    yield kind_of(core)
    yield from caches(core).split(", ")


def _arrows(
    axes: "Axes",
    messages: Sequence[Message],
    centres: Mapping[int, tuple[float, float]],
    shrink: float,
) -> None:
    from matplotlib.patches import FancyArrowPatch

    widest = max(size for *_, size in messages)
    for source, destination, size in messages:
        axes.add_patch(
            FancyArrowPatch(
                centres[source],
                centres[destination],
                connectionstyle="arc3,rad=0.22",
                arrowstyle="-|>",
                mutation_scale=10,
                shrinkA=13 * shrink,
                shrinkB=13 * shrink,
                linewidth=0.6 + 2.2 * size / widest,
                color=_ARROW,
                alpha=0.8,
            )
        )


def check_here(matrices: Sequence[MatrixLike]) -> None:
    """Raise UsageError if a matrix is of another computer, because only this one can be drawn."""
    host = HostMachine()
    if not all(is_of(host, each) for each in matrices):
        raise refusal("{plot} draws this computer, and {matrices} is of another one; leave it out")


def placed_figure(placed: HostPlaced, host: HostMachine | None = None) -> "Figure":
    """Draw the computer, with the threads on their CPUs and with arrows for the messages.

    A CPU that a group of threads shares has the first of them as its name.
    """
    here = host or HostMachine()
    _, bytes_ = traffic(placed.placed_pattern)
    messages = [
        (placed.placement[source], placed.placement[destination], total)
        for source, row in enumerate(bytes_)
        for destination, total in enumerate(row)
        if total
    ]
    listed = ",".join(map(str, placed.placement))
    threads = {cpu: f"T{thread}" for thread, cpu in enumerate(placed.placement)}
    if placed.groups is not None:
        pairs = zip(placed.placement, placed.groups.threads, strict=True)
        threads = {cpu: f"T{group[0]}\N{HORIZONTAL ELLIPSIS}" for cpu, group in pairs}
    title = f"{placed.pattern} on host: CPUs {listed}"
    return computer_figure(computer(here.tree, here.topology), title, threads, messages)
