"""Figure 4: lists that move 2 KB of a shared buffer, by the number of their elements."""

from collections.abc import Iterator

from cellstats.papers.abellan2008ps3.figure2 import spe_label
from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

BYTES = 2048
ELEMENTS = [1, 2, 4, 8, 16, 32, 64, 128]
ITERATIONS = 200


def rows() -> Iterator[Ask]:
    """Lists of puts and of gets, and the single DMA that the text compares them with."""
    for elements in ELEMENTS:
        yield from measured(
            "ps3",
            ["dmalistput", "dmalistget"],
            spes=range(1, 7),
            list_elements=elements,
            size=BYTES // elements,
            iterations=ITERATIONS,
        )
    yield from measured("ps3", ["dmaput", "dmaget"], spes=6, size="16k", iterations=ITERATIONS)


def draw(rows: Answers) -> Iterator[Chart]:
    """Latency (a, b) and bandwidth (c, d) of puts and of gets."""
    elements = Axis("Elements of 2 KB", log=2, ticks="all")
    lists = [each for each in rows.groups("function") if "list" in each[0]]
    for letter, (function, lines) in zip("ab", lists, strict=True):
        chart = Chart(_title(letter, function), elements, Axis("Latency (ns)", least=0))
        for spes, line in lines.groups("spes"):
            chart.line(spe_label(spes), line.column("list_elements"), line.column("latency_ns"))
        yield chart
    for letter, (function, lines) in zip("cd", lists, strict=True):
        chart = Chart(_title(letter, function), elements, Axis("Bandwidth (GB/s)", least=0))
        for spes, line in lines.groups("spes"):
            counts = line.column("list_elements")
            chart.line(spe_label(spes), counts, line.column("bandwidth_gb_s"))
        chart.published("half of single DMAs", [1, 32], [12.8, 12.8])
        yield chart


def _title(letter: str, function: str) -> str:
    return f"({letter}) Lists of {function.removeprefix('dmalist')}s"
