"""The elements on the rings of a machine, read from their names in one place."""

from collections.abc import Sequence
from dataclasses import dataclass

SPE, MIC, GATE = "SPE", "MIC", "IOIF0"
"""Kinds of elements; data for another Cell pass IOIF0."""


@dataclass(frozen=True, slots=True)
class Element:
    """One element; as a text it is what the machine calls it.

    >>> str(Element(SPE, 9)), str(Element(MIC, 0)), str(Element(MIC, 1))
    ('SPE9', 'MIC', 'MIC/1')
    """

    kind: str
    """`PPE`, `SPE`, `MIC`, `IOIF0` or `IOIF1`."""
    number: int
    """Of an SPE its physical number, counted through all Cells; of any other one its Cell."""

    def __str__(self) -> str:
        if self.kind == SPE:
            return f"{SPE}{self.number}"
        return f"{self.kind}/{self.number}" if self.number else self.kind


def element(name: str) -> Element:
    """The element that the machine calls so.

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
