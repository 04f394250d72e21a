"""The load of each part of a machine, by the communication model."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from cellstats import _native
from cellstats.placement.elements import MIC, SPE, Element, element
from cellstats.placement.messages import Pattern


class PartKind(Enum):
    """Kinds of parts."""

    ON_RAMP = "on-ramp"
    OFF_RAMP = "off-ramp"
    QUEUE = "queue"
    """The lines at an on-ramp, with those of other on-ramps that they wait for."""
    SEGMENT = "segment"
    """From an element to its neighbour, of all rings of one direction."""
    RINGS = "rings"
    """The starts on all rings of one direction of a Cell."""
    MEMORY = "memory"
    CROSSING = "crossing"
    """The interface between two Cells, one way."""
    PLACES = "places"
    """Those of the interface, for lines of one Cell's requests to the other one."""
    OUTSTANDING_READS = "outstanding reads"
    """Those that an SPE may have, of lines whose commands both Cells must see."""
    OUTSTANDING_WRITES = "outstanding writes"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a machine that can be busy."""

    kind: PartKind
    elements: tuple[Element, ...] = ()
    """Element of a ramp or a queue; source and destination of a segment."""
    cells: tuple[int, ...] = ()
    """Cell of rings, memory or places; source and destination of a crossing."""
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
        """Whether it carries the same with all placements, as ramps and memory do."""
        if self.kind in (PartKind.ON_RAMP, PartKind.OFF_RAMP):
            return self.elements[0].kind in (SPE, MIC)
        return self.kind is PartKind.MEMORY

    @property
    def is_way(self) -> bool:
        """Whether its load depends on the placement only, as that of segments and crossings."""
        return self.kind in (PartKind.SEGMENT, PartKind.CROSSING)


@dataclass(frozen=True, slots=True)
class PartLoad:
    """The load of one part in one phase."""

    part: Part
    bytes: int
    bus_cycles: int
    """Time for which it is busy with them."""


PhaseLoads: TypeAlias = list[PartLoad]


def segment(source: Element, destination: Element) -> Part:
    """The segment from an element to its neighbour."""
    return Part(PartKind.SEGMENT, (source, destination))


def crossing(source: int, destination: int) -> Part:
    """The interface from one Cell to the other."""
    return Part(PartKind.CROSSING, cells=(source, destination))


def part_loads(
    machine: _native.Machine, pattern: Pattern, placement: Sequence[int], memory: str
) -> list[PhaseLoads]:
    """The loads of each phase. Raises UsageError for a placement that cannot be.

    >>> import cellstats as cs
    >>> from cellstats.patterns import pattern
    >>> board = cs.machine("eval-board").native
    >>> (phase,) = part_loads(board, pattern("ring", threads=2), [0, 2], "0")
    >>> [(str(load.part), load.bytes) for load in phase if load.part.is_way]
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
