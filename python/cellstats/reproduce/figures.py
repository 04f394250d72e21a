"""Figures of papers. A figure consists of experiments, and of charts for its panels.

A chart is data: lines, bars, histograms and published values. `cellstats.show` draws it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from cellstats.reproduce.experiments import Experiment, Rows

Number: TypeAlias = int | float
Ends: TypeAlias = Sequence[tuple[Number, Number]]
Ticks: TypeAlias = Literal["bytes", "all"] | None


@dataclass(frozen=True)
class Axis:
    """One axis."""

    label: str
    log: int | None = None
    """Base of a logarithmic axis; None for a linear axis."""
    ticks: Ticks = None
    """Labels of the ticks, one at every value: sizes such as 2K (`bytes`) or plain numbers (`all`).
    None selects automatic ticks."""
    least: Number | None = None
    """Lower end; None fits the data."""
    most: Number | None = None
    """Upper end; None fits the data."""


@dataclass(frozen=True)
class Line:
    """A series of points."""

    label: str
    x: Sequence[Number]
    y: Sequence[Number]
    joined: bool = True
    """Whether a line connects the points."""
    ends: Ends = ()
    """Lowest and highest value behind each mean; empty for points that are no means."""


@dataclass(frozen=True)
class Bars:
    """Bars of one colour, with one bar for each name on the axis."""

    label: str
    heights: Sequence[Number]
    ends: Ends = ()
    """Lowest and highest value behind each mean; empty for bars that are no means."""


@dataclass(frozen=True)
class Published:
    """A published value: one point, or a line through several points."""

    label: str
    x: Sequence[Number]
    y: Sequence[Number]
    margin: float = 0.0
    """Uncertainty of the values, as a part of them: 0.1 if their paper calls them approximate, or
    the reading error of points of a printed curve."""


@dataclass(frozen=True)
class Steps:
    """A histogram: the edges and heights of its bars."""

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
        self,
        label: str,
        x: Sequence[Number],
        y: Sequence[Number],
        *,
        joined: bool = True,
        ends: Ends = (),
    ) -> "Chart":
        """Add simulated points.

        ends: lowest and highest value behind each mean.
        """
        self.lines.append(Line(label, x, y, joined, ends))
        return self

    def bar(self, label: str, heights: Sequence[Number], *, ends: Ends = ()) -> "Chart":
        """Add one bar for each name on the axis, or one point if the axis is logarithmic.

        ends: lowest and highest value behind each mean.
        """
        self.bars.append(Bars(label, heights, ends))
        return self

    def histogram(
        self, label: str, edges: Sequence[tuple[Number, Number]], heights: Sequence[Number]
    ) -> "Chart":
        """Add a histogram, stacked on the earlier histograms."""
        self.steps.append(Steps(label, edges, heights))
        return self

    def published(
        self, label: str, x: Sequence[Number], y: Sequence[Number], *, margin: float = 0.0
    ) -> "Chart":
        """Add a published value: one point, or a line through several points.

        margin: uncertainty of the values, as a part of them.
        """
        self.marks.append(Published(label, x, y, margin))
        return self


@dataclass(frozen=True)
class Figure:
    """A figure or table that a paper's file in `cellstats.papers` declares."""

    name: str
    """Name in claims, on the command line and in file names, such as `figure4` or `table1`."""
    title: str
    rows: Callable[[], Iterable[Experiment]]
    """Returns the experiments of the figure's rows. Duplicates are measured once."""
    draw: Callable[[Rows], Iterable[Chart]] | None = None
    """Draws the charts from the measured rows; None for numbers that need no picture."""

    @cached_property
    def experiments(self) -> tuple[Experiment, ...]:
        """The experiments of the figure's rows, without duplicates."""
        return tuple(dict.fromkeys(self.rows()))

    def charts(self, rows: Rows) -> list[Chart]:
        """The figure's panels. `rows` must be in the order of `experiments`."""
        return [] if self.draw is None else list(self.draw(rows))
