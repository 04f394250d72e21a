"""The ways of messages round the rings, from element to element, by the communication model.

A message takes the shorter way round; if both are equally long, the clockwise one, or half of it
takes each, as the machine has it. A message to the other Cell takes a ring to IOIF0, and there
another one from IOIF0 on.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cellstats.machine import Machine
from cellstats.placement.elements import GATE, MIC, SPE, Element, ring_of
from cellstats.placement.messages import Transfer
from cellstats.placement.pattern_pairs import MEMORY, End

CLOCKWISE, COUNTERCLOCKWISE = 0, 1


@dataclass(frozen=True)
class Rings:
    """The elements of a machine in their physical order, Cell by Cell."""

    cells: tuple[tuple[Element, ...], ...]
    """Clockwise; SPEs are numbered through both Cells."""
    directions: tuple[int, ...]
    """Those in which rings turn."""
    halfway: tuple[int, ...]
    """Those of a message whose two ways are equally long."""

    @classmethod
    def of(cls, machine: Machine) -> "Rings":
        """The rings of a machine.

        >>> import cellstats as cs
        >>> [str(element) for element in Rings.of(cs.machine("qs20")).cells[1][:3]]
        ['PPE/1', 'SPE9', 'SPE11']
        """
        values = {row["key"]: row["value"] for row in machine.values()}
        counts = (values["eib.clockwise_rings"], values["eib.counterclockwise_rings"])
        directions = tuple(each for each in (CLOCKWISE, COUNTERCLOCKWISE) if counts[each])
        halfway = directions[:1] if values["eib.halfway_clockwise_only"] else directions
        cells = tuple(ring_of(values["eib.ring"], cell) for cell in range(machine.chips))
        return cls(cells, directions, halfway)

    def find(self, element: Element) -> tuple[int, int]:
        """The Cell of an element, and its place on the ring there."""
        return next(
            (cell, ring.index(element)) for cell, ring in enumerate(self.cells) if element in ring
        )


@dataclass(frozen=True)
class Way:
    """Bytes from one element of a Cell to another one, in one direction."""

    source: Element
    destination: Element
    cell: int
    start: int
    """The place of the source on the ring."""
    hops: int
    direction: int
    bytes: float

    def segments(self, elements: int) -> list[int]:
        """The segments it passes, each by the place of the element before it, clockwise."""
        if self.direction == CLOCKWISE:
            return [(self.start + hop) % elements for hop in range(self.hops)]
        return [(self.start - 1 - hop) % elements for hop in range(self.hops)]


def ways(
    rings: Rings, transfers: Iterable[Transfer], placement: Sequence[int], memory: str
) -> list[Way]:
    """All ways of these transfers; those between the same elements are added up."""
    sizes: defaultdict[tuple[Element, Element], float] = defaultdict(float)
    for transfer in transfers:
        memories = [0, 1] if memory == "interleave" else [int(memory)]
        if MEMORY not in (transfer.source, transfer.destination):
            memories = memories[:1]
        for cell in memories:

            def place(end: End, cell: int = cell) -> Element:
                return Element(MIC, cell) if end == MEMORY else Element(SPE, placement[end])

            for leg in _legs(rings, place(transfer.source), place(transfer.destination)):
                sizes[leg] += transfer.total_bytes / len(memories)
    return [way for leg, size in sizes.items() for way in _ways_round(rings, *leg, size)]


def _legs(rings: Rings, source: Element, destination: Element) -> Iterator[tuple[Element, Element]]:
    here, there = rings.find(source)[0], rings.find(destination)[0]
    if here == there:
        yield source, destination
    else:
        yield source, Element(GATE, here)
        yield Element(GATE, there), destination


def _ways_round(rings: Rings, source: Element, destination: Element, size: float) -> Iterator[Way]:
    cell, start = rings.find(source)
    elements = len(rings.cells[cell])
    clockwise = (rings.find(destination)[1] - start) % elements
    hops = (clockwise, elements - clockwise)
    least = min(hops[direction] for direction in rings.directions)
    among = rings.halfway if hops[0] == hops[1] else rings.directions
    shortest = [direction for direction in among if hops[direction] == least]
    for direction in shortest:
        share = size / len(shortest)
        yield Way(source, destination, cell, start, hops[direction], direction, share)


def lanes(several: Sequence[Way], elements: int) -> list[int]:
    """A lane for each way of one direction on one Cell, such that no two ways of a lane overlap.

    several: the ways.
    elements: number of elements on the ring.

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
