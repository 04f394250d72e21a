"""Figure 7: the PPE's loads, stores and copies in main memory."""

from collections.abc import Iterator

from cellstats.papers.jimenez2007 import _accesses
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """One thread and two; and the L2, to which the paper compares."""
    yield from _accesses.of_ppe("memory")
    yield from _accesses.of_ppe("l2")


def draw(rows: Answers) -> Iterator[Chart]:
    """Loads (a), stores (b) and copies (c)."""
    for chart in _accesses.charts(rows, "memory", "Memory").values():
        yield chart.published("under 6 GB/s", [1, 16], [6, 6])
