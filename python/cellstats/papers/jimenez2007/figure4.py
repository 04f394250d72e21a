"""Figure 4: the PPE's loads, stores and copies in its L2 cache."""

from collections.abc import Iterator

from cellstats.papers.jimenez2007 import _accesses
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """One thread and two; and the L1, to which the paper compares."""
    yield from _accesses.of_ppe("l2")
    yield from _accesses.of_ppe("l1")


def draw(rows: Answers) -> Iterator[Chart]:
    """Loads (a), stores (b) and copies (c)."""
    yield from _accesses.charts(rows, "l2", "L2").values()
