"""Figure 5: what moves between the L1 and the L2, one element of each line being used."""

from collections.abc import Iterator

from cellstats.papers.jimenez2007 import _accesses
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """One thread and two; and the L2, to which the paper compares."""
    yield from _accesses.of_ppe("l1l2")
    yield from _accesses.of_ppe("l2")


def draw(rows: Answers) -> Iterator[Chart]:
    """Loads (a), stores (b) and copies (c)."""
    yield from _accesses.charts(rows, "l1l2", "L1 and L2").values()
