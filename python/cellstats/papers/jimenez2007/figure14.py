"""Figure 14: what placement does to four couples of SPEs."""

from collections.abc import Iterator

from cellstats.papers.jimenez2007 import _placements
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """Those of Figure 13 with eight SPEs."""
    return _placements.of_spes("couples", 8)


def draw(rows: Answers) -> Iterator[Chart]:
    """Single DMAs (a) and lists (b)."""
    return _placements.extremes(rows)
