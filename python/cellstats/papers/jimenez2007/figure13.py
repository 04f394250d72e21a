"""Figure 13: couples of SPEs, one of each getting from and putting to the other."""

from collections.abc import Iterator

from cellstats.papers.jimenez2007 import _placements
from cellstats.reproduce import Answers, Ask, Chart


def rows() -> Iterator[Ask]:
    """One, two and four couples."""
    for spes in (2, 4, 8):
        yield from _placements.of_spes("couples", spes)


def draw(rows: Answers) -> Iterator[Chart]:
    """Single DMAs (a) and lists (b)."""
    published = {
        "elements": {2: 33.6, 4: 67.2, 8: 95},
        "lists": {2: 33.6, 4: 67.2, 8: 81},
    }
    yield from _placements.averages(rows, published)
