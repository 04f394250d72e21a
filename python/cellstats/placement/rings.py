"""Elements on the rings, routes of messages, and the load of each part of a machine.

The simulator knows the routes (`crates/cell/src/eib`). If a message has two routes, half of its
bytes take each.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from cellstats import _native
from cellstats.core.pattern import Pattern, Transfer
from cellstats.core.pattern_pairs import MEMORY, End

SPE, MIC, GATE = "SPE", "MIC", "IOIF0"
"""Kinds of elements. Data for another Cell pass through IOIF0."""
CLOCKWISE, COUNTERCLOCKWISE = 0, 1


@dataclass(frozen=True, slots=True)
class Element:
    """An element on a ring. `str` returns the element's name in the machine.

    >>> str(Element(SPE, 9)), str(Element(MIC, 0)), str(Element(MIC, 1))
    ('SPE9', 'MIC', 'MIC/1')
    """

    kind: str
    """`PPE`, `SPE`, `MIC`, `IOIF0` or `IOIF1`."""
    number: int
    """Physical number of an SPE, counted over all Cells, or the Cell number of any other
    element."""

    def __str__(self) -> str:
        if self.kind == SPE:
            return f"{SPE}{self.number}"
        return f"{self.kind}/{self.number}" if self.number else self.kind


def element(name: str) -> Element:
    """The element with this name in the machine.

    >>> element("SPE9"), element("IOIF0/1")
    (Element(kind='SPE', number=9), Element(kind='IOIF0', number=1))
    """
    if name.startswith(SPE):
        return Element(SPE, int(name.removeprefix(SPE)))
    kind, _, cell = name.partition("/")
    return Element(kind, int(cell or 0))


def rings_of(machine: _native.Machine) -> tuple[tuple[Element, ...], ...]:
    """The elements of each Cell in clockwise order. SPEs are numbered over both Cells.

    >>> import cellstats as cs
    >>> [str(element) for element in rings_of(cs.machine("qs20").native)[1][:3]]
    ['PPE/1', 'SPE9', 'SPE11']
    """
    return tuple(tuple(map(element, names)) for names in machine.rings())


@dataclass(frozen=True)
class Route:
    """The route of bytes from one element of a Cell to another element, in one direction."""

    source: Element
    destination: Element
    cell: int
    start: int
    """Position of the source element on the ring."""
    hops: int
    direction: int
    bytes: float

    def segments(self, elements: int) -> list[int]:
        """The segments of the route. A segment is identified by the position of its
        counterclockwise end.
        """
        if self.direction == CLOCKWISE:
            return [(self.start + hop) % elements for hop in range(self.hops)]
        return [(self.start - 1 - hop) % elements for hop in range(self.hops)]


def routes(
    machine: _native.Machine,
    transfers: Iterable[Transfer],
    placement: Sequence[int],
    memory: str,
) -> list[Route]:
    """All routes of these transfers. Transfers between the same two elements share their routes."""
    sizes: defaultdict[tuple[Element, Element], float] = defaultdict(float)
    for transfer in transfers:
        memories = [0, 1] if memory == "interleave" else [int(memory)]
        if MEMORY not in (transfer.source, transfer.destination):
            memories = memories[:1]
        for cell in memories:

            def at(end: End, cell: int = cell) -> Element:
                return Element(MIC, cell) if end == MEMORY else Element(SPE, placement[end])

            ends = at(transfer.source), at(transfer.destination)
            sizes[ends] += transfer.total_bytes / len(memories)
    # Messages to several elements of the other Cell share the routes to IOIF0.
    shared: defaultdict[tuple[str, str, bool, int], float] = defaultdict(float)
    for (source, destination), size in sizes.items():
        legs = machine.routes(str(source), str(destination))
        for leg in legs:
            alternatives = sum(other[:2] == leg[:2] for other in legs)
            shared[leg] += size / alternatives
    rings = enumerate(rings_of(machine))
    places = {each: (cell, at) for cell, ring in rings for at, each in enumerate(ring)}
    return [
        Route(
            element(source),
            element(destination),
            *places[element(source)],
            hops,
            CLOCKWISE if clockwise else COUNTERCLOCKWISE,
            size,
        )
        for (source, destination, clockwise, hops), size in shared.items()
    ]


def lanes(several: Sequence[Route], elements: int) -> list[int]:
    """The lane of each route. Routes in one lane do not overlap. Short routes are assigned first.

    several: routes on one Cell, all in the same direction.
    elements: number of elements on the ring.
    """
    taken: list[set[int]] = []
    found = [0] * len(several)
    for nth in sorted(range(len(several)), key=lambda n: (several[n].hops, several[n].start)):
        segments = set(several[nth].segments(elements))
        lane = next((n for n, used in enumerate(taken) if not used & segments), len(taken))
        taken[lane : lane + 1] = [(taken[lane] if lane < len(taken) else set()) | segments]
        found[nth] = lane
    return found


class PartKind(Enum):
    """Kinds of parts."""

    ON_RAMP = "on-ramp"
    OFF_RAMP = "off-ramp"
    QUEUE = "queue"
    """Cache lines waiting at an on-ramp, and the lines of other on-ramps for which they wait."""
    SEGMENT = "segment"
    """The connection between two neighbouring elements, on all rings of one direction."""
    RINGS = "rings"
    """Starts of transfers on all rings of one direction of a Cell."""
    MEMORY = "memory"
    CROSSING = "crossing"
    """The interface between two Cells, in one direction."""
    PLACES = "places"
    """The interface's buffer entries for cache lines that one Cell requests from the other."""
    OUTSTANDING_READS = "outstanding reads"
    """An SPE's limit of outstanding reads, for cache lines whose commands both Cells must snoop."""
    OUTSTANDING_WRITES = "outstanding writes"
    """An SPE's limit of outstanding writes, for cache lines whose commands both Cells must
    snoop."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a machine that can be busy."""

    kind: PartKind
    elements: tuple[Element, ...] = ()
    """The element that has the ramp or queue; for a segment, its source and its destination."""
    cells: tuple[int, ...] = ()
    """The Cell that has the rings, memory or buffer entries; for a crossing, its source and its
    destination."""
    clockwise: bool | None = None
    """Direction of rings; None for other parts."""

    def __str__(self) -> str:
        if self.kind is PartKind.SEGMENT:
            return " to ".join(map(str, self.elements))
        if self.kind is PartKind.CROSSING:
            return " to ".join(f"Cell {cell}" for cell in self.cells)
        if self.kind is PartKind.MEMORY:
            return f"memory {self.cells[0]}"
        if self.kind is PartKind.PLACES:
            return f"interface places of Cell {self.cells[0]}"
        if self.kind is PartKind.RINGS:
            turning = "clockwise" if self.clockwise else "counterclockwise"
            return f"{turning} rings of Cell {self.cells[0]}"
        return f"{self.kind.value} of {self.elements[0]}"

    @property
    def is_fixed(self) -> bool:
        """Whether all placements cause the same load, which is the case for ramps and memory."""
        if self.kind in (PartKind.ON_RAMP, PartKind.OFF_RAMP):
            return self.elements[0].kind in (SPE, MIC)
        return self.kind is PartKind.MEMORY

    @property
    def is_route(self) -> bool:
        """Whether the part is on message routes, which is the case for segments and crossings."""
        return self.kind in (PartKind.SEGMENT, PartKind.CROSSING)


@dataclass(frozen=True, slots=True)
class PartLoad:
    """The load of one part of the machine in one phase."""

    part: Part
    bytes: int
    bus_cycles: int
    """Time for which the transferred bytes keep the part busy."""


PhaseLoads: TypeAlias = list[PartLoad]


def segment(source: Element, destination: Element) -> Part:
    """The ring segment from an element to its neighbour."""
    return Part(PartKind.SEGMENT, (source, destination))


def crossing(source: int, destination: int) -> Part:
    """The interface between two Cells, in one direction."""
    return Part(PartKind.CROSSING, cells=(source, destination))


def part_loads(
    machine: _native.Machine, pattern: Pattern, placement: Sequence[int], memory: str
) -> list[PhaseLoads]:
    """The loads of all parts in each phase. Raises UsageError for an invalid placement.

    >>> import cellstats as cs
    >>> from cellstats.patterns import pattern
    >>> board = cs.machine("eval-board").native
    >>> (phase,) = part_loads(board, pattern("ring", threads=2), [0, 2], "0")
    >>> [(str(load.part), load.bytes) for load in phase if load.part.is_route]
    [('SPE2 to SPE0', 16384), ('SPE0 to SPE2', 16384)]
    """
    phases = _native.model_loads(machine, pattern.to_native(), placement, memory)
    return [
        [
            PartLoad(
                Part(PartKind(kind), tuple(map(element, names)), tuple(cells), clockwise),
                size,
                bus_cycles,
            )
            for kind, names, cells, clockwise, size, bus_cycles in phase
        ]
        for phase in phases
    ]
