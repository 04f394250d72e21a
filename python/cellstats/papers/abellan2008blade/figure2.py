"""Figure 2: fetchadd on shared and separate variables."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

SPES = {"0": range(1, 17), "1": [1, 2, 4, 8, 16]}
"""By memory; fewer of the second, which is to make no difference."""
ITERATIONS = 1_000


def rows() -> Iterator[Ask]:
    """1 to 16 SPEs; variables of their own are 128 bytes apart."""
    for memory, spes in SPES.items():
        yield from measured(
            "qs20",
            "fetchadd",
            private=[True, False],
            memory=memory,
            spes=spes,
            iterations=ITERATIONS,
        )


def draw(rows: Answers) -> Iterator[Chart]:
    """All four lines, on one panel as in the paper."""
    chart = Chart("fetchadd", Axis("SPEs", ticks="all"), Axis("Latency (ns)", least=0))
    for (private, memory), line in rows.groups("private", "memory"):
        label = f"{'separate' if private else 'shared'}, memory {memory}"
        chart.line(label, line.column("spes"), line.column("latency_ns"))
    chart.published("separate: 111 ns", [1, 16], [111, 111])
    chart.published("shared: linear to 7.5 µs", [1, 16], [7500 / 16, 7500])
    yield chart
