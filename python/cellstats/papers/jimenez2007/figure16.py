"""Figure 16: cycles of SPEs, each getting from and putting to the next."""

from collections.abc import Iterator

from cellstats.papers.jimenez2007 import _placements
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """Two, four and eight SPEs; and the couples of Figure 13, to which the paper compares."""
    for function in ("cycle", "couples"):
        for spes in (2, 4, 8):
            yield from _placements.of_spes(function, spes)


def draw(rows: Answers) -> Iterator[Chart]:
    """Single DMAs (a) and lists (b)."""
    published = {2: 33.6, 4: 50, 8: 70}
    cycles = rows.where(function="cycle")
    return _placements.averages(cycles, dict.fromkeys(_placements.SIZES, published))
