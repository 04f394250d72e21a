"""Figure 4: communication time of a Monte Carlo application, by the affinity of its threads.

The paper gives the names of the affinities and the greatest quotient of two, no numbers of each.
"""

from collections.abc import Iterator

from cellstats.papers.sudheer2009._affinities import NAMED, placement_of
from cellstats.reproduce import Answers, Ask, Axis, Chart, programmed


def rows() -> Iterator[Ask]:
    """The application on one Cell of the blade, under each affinity."""
    for name in (*NAMED, "model"):
        placement = placement_of(name, "nearest-neighbour")
        yield from programmed("qs20", "montecarlo", placement=placement, affinity=name)


def draw(rows: Answers) -> Iterator[Chart]:
    """Communication, over all steps; published is twice the least."""
    yield bars(rows, "communication_ns", "Communication (µs)", "worst twice the best", 2)


def bars(rows: Answers, column: str, label: str, published: str, times: float) -> Chart:
    """A bar for each affinity, and so many times the least."""
    chart = Chart(label, Axis(""), Axis(label, least=0), names=rows.column("affinity"))
    micro = [value / 1000 for value in rows.column(column)]
    chart.bar("simulated", micro)
    chart.published(published, [0, len(micro) - 1], [times * min(micro)] * 2)
    return chart
