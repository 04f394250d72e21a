"""Table 1: a message and its answer, between PPE and SPE and between two SPEs."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

PRIMITIVES = ["mailbox", "signal"]
WITHIN, ACROSS = "0,1", "0,8"
ITERATIONS = 10_000
PUBLISHED_NS: dict[str | None, list[float]] = {
    "library": [10_000, 10_000, 18_000, 18_000],
    "mmio": [779.7, 1678.2, 503.8, 1182.3],
    None: [158.1, 589.9, 160.1, 619.4],
}
"""Of a mailbox on the same Cell and the other one, then of a signal."""


def rows() -> Iterator[Ask]:
    """Both primitives, on both Cells: by system calls, by registers, and between SPEs."""
    for ppe in ("library", "mmio"):
        yield from measured("qs20", PRIMITIVES, ppe=ppe, cells=["0", "1"], iterations=ITERATIONS)
    yield from measured(
        "qs20", PRIMITIVES, spe_to_spe=True, placement=[WITHIN, ACROSS], iterations=ITERATIONS
    )


def draw(rows: Answers) -> Iterator[Chart]:
    """A panel for each way, with the table's numbers on the bars."""
    titles = {
        "library": "PPE and SPE, system calls",
        "mmio": "PPE and SPE, registers",
        None: "Two SPEs",
    }
    for ppe, ways in rows.where(spe_to_spe=False).groups("ppe"):
        yield _panel(titles[ppe], ways, ppe, "Cell 0", "Cell 1")
    yield _panel(titles[None], rows.where(spe_to_spe=True), None, "one Cell", "across")


def _panel(title: str, rows: Answers, ppe: str | None, near: str, far: str) -> Chart:
    names = [f"{primitive}, {where}" for primitive in PRIMITIVES for where in (near, far)]
    # System calls take microseconds.
    unit, ns = ("µs", 1000) if ppe == "library" else ("ns", 1)
    chart = Chart(title, Axis(""), Axis(f"Latency ({unit})", least=0), names=names)
    chart.bar("simulated", [each / ns for each in rows.column("latency_ns")])
    for place, published in enumerate(PUBLISHED_NS[ppe]):
        chart.published("Table 1", [place], [published / ns])
    return chart
