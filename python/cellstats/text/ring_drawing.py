"""The rings of a machine as text: its elements in their places, and the interface of two chips."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cellstats.placement.elements import GATE, SPE, ring_of

if TYPE_CHECKING:
    from cellstats.machine import Machine

_WIDTH_LEAST = 50
"""Least width, so that the text inside of a ring of few elements has room."""


def drawing(machine: "Machine") -> list[str]:
    r"""Lines of text: clockwise is clockwise, SPEs have their physical numbers.

    An SPE that programs may not use is in parentheses. Rings of two chips lie one above the other,
    each with IOIF0, where they are joined, at its lower right.

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
    chips = [_labels(values["eib.ring"], chip, machine.spes) for chip in range(machine.chips)]
    # Rings of two chips are equally wide, whatever the names of their SPEs.
    cell = max(len(label) for labels in chips for label in labels)
    if len(chips) == 1:
        lines = _ring(chips[0], cell, inside)
    else:
        named = ([f"Cell {chip}", *inside] for chip in range(len(chips)))
        rings = [_ring(labels, cell, text) for labels, text in zip(chips, named, strict=True)]
        lines = _joined(rings, values)
    return [line.rstrip() for line in lines]


def _labels(ring: Sequence[str], chip: int, usable: Sequence[int]) -> list[str]:
    """The elements of one chip, clockwise, so that the lower right corner is IOIF0."""
    elements = ring_of(ring, chip)
    labels = [
        element.kind
        if element.kind != SPE
        else (f"{element}" if element.number in usable else f"({element})")
        for element in elements
    ]
    corner = (len(ring) + 1) // 2
    shift = ring.index(GATE) - corner if GATE in ring else 0
    return labels[shift:] + labels[:shift]


def _ring(labels: Sequence[str], cell: int, inside: Sequence[str]) -> list[str]:
    """One ring, its labels in cells of `cell` letters, with text inside."""
    columns = (len(labels) + 1) // 2
    top, bottom = labels[:columns], labels[columns:][::-1]
    # An odd number of elements leaves the lower left corner empty.
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
    """Labels with their middles `pitch` apart, on a line from the first to the last."""
    right = left + pitch * (len(labels) - 1)
    line = list("-".rjust(left + 1).ljust(right + 1, "-").ljust(width))
    for number, label in enumerate(labels):
        text = f" {label} " if label else "+"
        start = left + pitch * number - len(text) // 2
        for place, letter in enumerate(text, start):
            # The blank beside a corner may be outside.
            if 0 <= place < width:
                line[place] = letter
    return "".join(line)


def _joined(rings: Sequence[Sequence[str]], values: Mapping[str, Any]) -> list[str]:
    """Two rings, and the interface on the way down at their right."""
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
