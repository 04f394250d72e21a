"""This computer for people and programs: boxes in boxes as indented lines, JSON, CSV."""

import itertools
import re
import textwrap
from collections.abc import Iterator, Sequence

from cellstats.export.csv_table import csv_table
from cellstats.export.documents import json_line
from cellstats.host.computer import CORE, Computer, Part
from cellstats.host.environment import digest
from cellstats.host.tree import as_list

_GLUE = "\N{NO-BREAK SPACE}"


def computer_text(found: Computer, width: int = 80) -> str:
    """A line for each box, and for cores that are alike; lines as long as `width` at most."""
    lines = [digest(dict(found.environment)), ""]
    for part in found.parts:
        lines += _lines(part, 0, width)
    more = len(found.topology.online) - len(found.topology.cpus)
    lines += [f"{more} CPUs more are online that this process may not use"] if more else []
    lines += [f"not known here: {what}" for what in found.topology.unknown]
    return "\n".join(lines) + "\n"


def computer_json(found: Computer) -> str:
    """One object, boxes in boxes."""
    return json_line(found.to_dict())


def computer_csv(found: Computer) -> str:
    """A row for each CPU."""
    rows = found.rows()
    return csv_table(list(rows[0]), rows)


def size(bytes_: int) -> str:
    """Bytes of a cache.

    >>> size(32 << 10), size(1280 << 10), size(16 << 20)
    ('32 KB', '1.25 MB', '16 MB')
    """
    return f"{bytes_ / (1 << 20):g} MB" if bytes_ >= 1 << 20 else f"{bytes_ / 1024:g} KB"


def heading(part: Part) -> str:
    """What a box is called."""
    if part.size_bytes is not None:
        return f"{part.kind} {size(part.size_bytes)}"
    return part.kind if part.number is None else f"{part.kind} {part.number}"


def caches(core: Part) -> str:
    """The caches of a core, nothing if none is known."""
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
    """What cores that stand in one line have in common; None for what is no core."""
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
    # A size and its unit stay together.
    wrapped = textwrap.wrap(
        re.sub(r" (?=[KM]B)", _GLUE, text),
        max(width, 40),
        initial_indent=indent,
        subsequent_indent=indent + "    ",
    )
    return [line.replace(_GLUE, " ") for line in wrapped]


def kind_of(core: Part) -> str:
    """What kind of core it is; a number is its capacity, of 1024 for the fastest."""
    kind = core.core_kind
    return "core" if kind is None else f"{kind} core" if kind[0].isalpha() else f"{kind}/1024 core"
