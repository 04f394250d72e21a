"""Figure 3: the PPE's loads, stores and copies in its L1 cache."""

from collections.abc import Iterator

from cellstats.papers.jimenez2007 import _accesses
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """One thread and two, elements of 1 to 16 bytes."""
    return _accesses.of_ppe("l1")


def draw(rows: Answers) -> Iterator[Chart]:
    """Loads (a), stores (b) and copies (c)."""
    charts = _accesses.charts(rows, "l1", "L1")
    charts["load"].published("2, 4, 8, 16.8 GB/s", _accesses.SIZES, [2, 4, 8, 16.8, 16.8])
    charts["copy"].published("half the peak, 1 thread", [16], [16.8])
    yield from charts.values()
