"""Figure 4: communication of a Monte Carlo application.

The paper names the affinities of the threads and says by how much the best and the worst differ.
"""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, programmed

AFFINITIES = {
    "Identity": "0,1,2,3,4,5,6,7",
    "EvenOdd": "0,2,4,6,1,3,5,7",
    "Ring": "0,2,4,6,7,5,3,1",
    "Overlap": "0,7,2,5,4,3,6,1",
    "Leap2": "0,4,7,3,1,5,6,2",
}
"""The SPEs of threads 0 to 7. The paper does not say which they are; these are our derivations from
the order of the SPEs on the rings, 0 2 4 6 7 5 3 1 and back: threads the way round, the two halves
of it in turn, or every other one and those between on the way back."""


def rows() -> Iterator[Ask]:
    """The application on one Cell of the blade, under each affinity."""
    for name, placement in AFFINITIES.items():
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
