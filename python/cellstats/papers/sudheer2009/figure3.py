"""Figure 3: the first phase of recursive doubling under different affinities."""

from collections.abc import Iterator

from cellstats.papers.sudheer2009 import _affinities
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """Eight threads, two and two exchange."""
    return _affinities.rows_of("recursive-doubling-1")


def draw(rows: Answers) -> Iterator[Chart]:
    """By size, and at the longest messages."""
    return _affinities.charts(rows)
