"""The factor by which a source's own measuring harness changes what it measures."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Disturbance:
    """The constant factor by which a source's harness slows down everything that it times."""

    figures: tuple[str, ...]
    """The figures that the harness timed."""
    factor: float
    """Ratio of the time that the harness measures to the time that a program takes without it."""
    range: tuple[float, float]
    basis: str
    source: str

    def found(self, number: float, unit: str) -> float:
        """Convert a simulated number to the value that this harness would have measured."""
        return number * self.factor ** _WITH_TIME.get(unit, 0)


_WITH_TIME = {"ns": 1, "GB/s": -1, "Gop/s": -1, "of the time": -1}
"""Exponent of time in each unit: 1 for a time, -1 for a rate or a share of time. The exponent is 0
for other units, such as quotients."""
