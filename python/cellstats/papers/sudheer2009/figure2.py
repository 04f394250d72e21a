"""Figure 2: the ring pattern under different affinities."""

from collections.abc import Iterator

from cellstats.papers.sudheer2009 import _affinities
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """Eight threads, each sends to the next."""
    return _affinities.rows_of("ring")


def draw(rows: Answers) -> Iterator[Chart]:
    """By size, and at the longest messages."""
    return _affinities.charts(rows)
