"""The contents of a figure, apart from how it is drawn: panels of lines, bars, published values."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Number: TypeAlias = int | float
Ticks: TypeAlias = Literal["bytes", "all"] | None


@dataclass(frozen=True)
class Axis:
    """One axis."""

    label: str
    log: int | None = None
    """The base of a logarithmic axis."""
    ticks: Ticks = None
    """A tick at every value, written as 2K (`bytes`) or plainly (`all`); None: matplotlib's own."""
    least: Number | None = None
    """Lower end; None follows the data."""
    most: Number | None = None
    """Upper end; None follows the data."""


@dataclass(frozen=True)
class Line:
    """Points that belong together."""

    label: str
    x: Sequence[Number]
    y: Sequence[Number]
    joined: bool = True
    """Whether a line goes through the points."""


@dataclass(frozen=True)
class Bars:
    """A group of bars of one colour, a bar for each name on the axis."""

    label: str
    heights: Sequence[Number]


@dataclass(frozen=True)
class Published:
    """What the paper says: a point, or a line through several."""

    label: str
    x: Sequence[Number]
    y: Sequence[Number]


@dataclass(frozen=True)
class Steps:
    """A histogram: the edges of its bars, and their heights."""

    label: str
    edges: Sequence[tuple[Number, Number]]
    heights: Sequence[Number]


@dataclass
class Chart:
    """One panel.

    >>> chart = Chart("Gets", Axis("SPEs"), Axis("GB/s", least=0))
    >>> chart.line("private", [1, 2], [15.0, 25.6]).published("peak", [1, 2], [25.6, 25.6])
    ... # doctest: +ELLIPSIS
    Chart(title='Gets', ...)
    """

    title: str
    x: Axis
    y: Axis
    names: Sequence[str] = ()
    """Names below the bars."""
    lines: list[Line] = field(default_factory=list)
    bars: list[Bars] = field(default_factory=list)
    steps: list[Steps] = field(default_factory=list)
    marks: list[Published] = field(default_factory=list)

    def line(
        self, label: str, x: Sequence[Number], y: Sequence[Number], *, joined: bool = True
    ) -> "Chart":
        """Add measured points."""
        self.lines.append(Line(label, x, y, joined))
        return self

    def bar(self, label: str, heights: Sequence[Number]) -> "Chart":
        """Add a bar to each name."""
        self.bars.append(Bars(label, heights))
        return self

    def histogram(
        self, label: str, edges: Sequence[tuple[Number, Number]], heights: Sequence[Number]
    ) -> "Chart":
        """Add a histogram, on top of those before."""
        self.steps.append(Steps(label, edges, heights))
        return self

    def published(self, label: str, x: Sequence[Number], y: Sequence[Number]) -> "Chart":
        """Add what the paper says: one point, or a line of two and more."""
        self.marks.append(Published(label, x, y))
        return self
