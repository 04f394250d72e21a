"""Figure 5: total time of a Monte Carlo application."""

from collections.abc import Iterator

from cellstats.papers.sudheer2009 import figure4
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """The runs of Figure 4."""
    return figure4.rows()


def draw(rows: Answers) -> Iterator[Chart]:
    """From the first step to the last; published is a tenth above the least."""
    yield figure4.bars(rows, "total_ns", "Total (µs)", "worst 10 % above the best, or more", 1.1)
