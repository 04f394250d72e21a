"""What each part of a machine has to carry, by the communication model, as data."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from cellstats import _native
from cellstats.placement.elements import MIC, SPE, Element, element
from cellstats.placement.messages import Pattern


class PartKind(Enum):
    """What a part is."""

    ON_RAMP = "on-ramp"
    OFF_RAMP = "off-ramp"
    SEGMENT = "segment"
    """Of all rings that go one way, from an element to its neighbour."""
    RINGS = "rings"
    """All of a Cell that go one way."""
    MEMORY = "memory"
    CROSSING = "crossing"
    """The interface between two Cells, one way."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a machine that can be busy."""

    kind: PartKind
    elements: tuple[Element, ...] = ()
    """Of a ramp its element, of a segment from where to where."""
    cells: tuple[int, ...] = ()
    """Of rings and memory their Cell, of a crossing from where to where."""
    clockwise: bool | None = None
    """Of rings."""

    def __str__(self) -> str:
        if self.kind is PartKind.SEGMENT:
            return " to ".join(map(str, self.elements))
        if self.kind is PartKind.CROSSING:
            return " to ".join(f"Cell {cell}" for cell in self.cells)
        if self.kind is PartKind.MEMORY:
            return f"memory {self.cells[0]}"
        if self.kind is PartKind.RINGS:
            turning = "clockwise" if self.clockwise else "counterclockwise"
            return f"{turning} rings of Cell {self.cells[0]}"
        return f"{self.kind.value} of {self.elements[0]}"

    @property
    def is_fixed(self) -> bool:
        """Whether it carries the same wherever threads are: what SPEs and memory send and get."""
        if self.kind in (PartKind.ON_RAMP, PartKind.OFF_RAMP):
            return self.elements[0].kind in (SPE, MIC)
        return self.kind is PartKind.MEMORY

    @property
    def is_way(self) -> bool:
        """Whether what it carries depends on where threads are, and on nothing else."""
        return self.kind in (PartKind.SEGMENT, PartKind.CROSSING)


@dataclass(frozen=True, slots=True)
class PartLoad:
    """What one part has to carry in one phase."""

    part: Part
    bytes: int
    bus_cycles: int
    """For how long that keeps it busy."""


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
