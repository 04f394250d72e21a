"""The ways of messages round the rings, from element to element, as the communication model has it.

A message takes the shorter way round; if both are equally long, half of it takes each. What crosses
to the other Cell takes a ring to IOIF0, and there another one from IOIF0 on.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cellstats.machine import Machine
from cellstats.patterns import MEMORY, End, Transfer

CLOCKWISE, COUNTERCLOCKWISE = 0, 1


@dataclass(frozen=True)
class Rings:
    """The elements of a machine in their physical order, Cell by Cell."""

    cells: tuple[tuple[str, ...], ...]
    """Clockwise; SPEs are numbered through both Cells, other elements of the second end in `/1`."""

    @classmethod
    def of(cls, machine: Machine) -> "Rings":
        """Those of a machine.

        >>> import cellstats as cs
        >>> Rings.of(cs.machine("qs20")).cells[1][:3]
        ('PPE/1', 'SPE9', 'SPE11')
        """
        ring = next(row["value"] for row in machine.values() if row["key"] == "eib.ring")
        spes = sum(name.startswith("SPE") for name in ring)

        def name(element: str, cell: int) -> str:
            if element.startswith("SPE"):
                return f"SPE{int(element.removeprefix('SPE')) + cell * spes}"
            return on_cell(element, cell)

        return cls(
            tuple(tuple(name(element, cell) for element in ring) for cell in range(machine.chips))
        )

    def find(self, element: str) -> tuple[int, int]:
        """The Cell of an element, and its place there."""
        return next(
            (cell, names.index(element))
            for cell, names in enumerate(self.cells)
            if element in names
        )


def on_cell(element: str, cell: int) -> str:
    """What the communication model calls an element that each Cell has, such as MIC."""
    return f"{element}/{cell}" if cell else element


@dataclass(frozen=True)
class Way:
    """What goes from one element of a Cell to another of it, one way round."""

    source: str
    destination: str
    cell: int
    start: int
    """The place of the source on the ring."""
    hops: int
    direction: int
    bytes: float

    def segments(self, elements: int) -> list[int]:
        """The segments it passes; each has the number of the element that it follows clockwise."""
        if self.direction == CLOCKWISE:
            return [(self.start + hop) % elements for hop in range(self.hops)]
        return [(self.start - 1 - hop) % elements for hop in range(self.hops)]


def ways(
    rings: Rings, transfers: Iterable[Transfer], placement: Sequence[int], memory: str
) -> list[Way]:
    """All ways of these transfers; those of the same ends are one."""
    sizes: defaultdict[tuple[str, str], float] = defaultdict(float)
    for transfer in transfers:
        memories = [0, 1] if memory == "interleave" else [int(memory)]
        if MEMORY not in (transfer.source, transfer.destination):
            memories = memories[:1]
        for cell in memories:

            def place(end: End, cell: int = cell) -> str:
                return on_cell("MIC", cell) if end == MEMORY else f"SPE{placement[end]}"

            for leg in _legs(rings, place(transfer.source), place(transfer.destination)):
                sizes[leg] += transfer.total_bytes / len(memories)
    return [way for leg, size in sizes.items() for way in _ways_round(rings, *leg, size)]


def _legs(rings: Rings, source: str, destination: str) -> Iterator[tuple[str, str]]:
    here, there = rings.find(source)[0], rings.find(destination)[0]
    if here == there:
        yield source, destination
    else:
        yield source, on_cell("IOIF0", here)
        yield on_cell("IOIF0", there), destination


def _ways_round(rings: Rings, source: str, destination: str, size: float) -> Iterator[Way]:
    cell, start = rings.find(source)
    elements = len(rings.cells[cell])
    clockwise = (rings.find(destination)[1] - start) % elements
    hops = (clockwise, elements - clockwise)
    shortest = [direction for direction in (0, 1) if hops[direction] == min(hops)]
    for direction in shortest:
        share = size / len(shortest)
        yield Way(source, destination, cell, start, hops[direction], direction, share)


def lanes(several: Sequence[Way], elements: int) -> list[int]:
    """A lane for each way of one direction on one Cell: no two in a lane pass the same segment.

    Short ways get the first lanes.
    """
    taken: list[set[int]] = []
    found = [0] * len(several)
    for nth in sorted(range(len(several)), key=lambda n: (several[n].hops, several[n].start)):
        segments = set(several[nth].segments(elements))
        lane = next((n for n, used in enumerate(taken) if not used & segments), len(taken))
        taken[lane : lane + 1] = [(taken[lane] if lane < len(taken) else set()) | segments]
        found[nth] = lane
    return found
