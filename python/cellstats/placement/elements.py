"""The elements on the rings of a machine, and how their names are read."""

from collections.abc import Sequence
from dataclasses import dataclass

SPE, MIC, GATE = "SPE", "MIC", "IOIF0"
"""Kinds of elements; data for another Cell go through IOIF0."""


@dataclass(frozen=True, slots=True)
class Element:
    """One element; `str` gives its name in the machine.

    >>> str(Element(SPE, 9)), str(Element(MIC, 0)), str(Element(MIC, 1))
    ('SPE9', 'MIC', 'MIC/1')
    """

    kind: str
    """`PPE`, `SPE`, `MIC`, `IOIF0` or `IOIF1`."""
    number: int
    """Physical number of an SPE, counted through all Cells; of any other element its Cell."""

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


def ring_of(names: Sequence[str], cell: int = 0) -> tuple[Element, ...]:
    """The elements of one Cell, clockwise, from the machine's value `eib.ring`."""
    first = [element(name) for name in names]
    spes = sum(each.kind == SPE for each in first)
    return tuple(
        Element(SPE, each.number + cell * spes) if each.kind == SPE else Element(each.kind, cell)
        for each in first
    )
