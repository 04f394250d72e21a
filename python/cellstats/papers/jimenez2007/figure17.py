"""Figure 17: what placement does to cycles of eight SPEs."""

from collections.abc import Iterator

from cellstats.papers.jimenez2007 import _placements
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """Those of Figure 16 with eight SPEs; and couples, to which the paper compares."""
    for function in ("cycle", "couples"):
        yield from _placements.of_spes(function, 8)


def draw(rows: Answers) -> Iterator[Chart]:
    """Single DMAs (a) and lists (b)."""
    return _placements.extremes(rows.where(function="cycle"))
