"""Figure 3: fetchadd on shared and separate variables."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

ITERATIONS = 5_000


def rows() -> Iterator[Ask]:
    """1 to 6 SPEs; separate variables are 128 bytes apart."""
    yield from measured("ps3", "fetchadd", spes=range(1, 7), iterations=ITERATIONS)
    yield from measured(
        "ps3", "fetchadd", private=True, stride=128, spes=range(1, 7), iterations=ITERATIONS
    )


def draw(rows: Answers) -> Iterator[Chart]:
    """Both lines, on one panel as in the paper."""
    chart = Chart("fetchadd", Axis("SPEs", ticks="all"), Axis("Latency (ns)", least=0))
    for private, line in rows.groups("private"):
        label = "separate variables" if private else "a shared variable"
        chart.line(label, line.column("spes"), line.column("latency_ns"))
    chart.published("separate: 135 ns", [1, 6], [135, 135])
    chart.published("shared: 150 ns for each SPE", [1, 6], [150, 900])
    chart.published("1 µs for 6 SPEs", [6], [1000])
    yield chart
