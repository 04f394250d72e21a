"""Figure 11: when one of two SPEs waits."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

SIZES = [2**power for power in range(7, 15)]
BATCHES = [1, 2, 4, 8, 16, 32, 0]


def rows() -> Iterator[Ask]:
    """32 MB, as in the paper, with the next SPE; and with each of the seven others."""
    yield from measured(
        "blade-2100", "couples", batch=BATCHES, size=SIZES, placement="0,1", what="delay"
    )
    yield from measured(
        "blade-2100",
        "couples",
        size=16384,
        placement=[f"0,{partner}" for partner in range(1, 8)],
        what="partner",
    )


def draw(rows: Answers) -> Iterator[Chart]:
    """A line for each number of pairs, a get and a put, after which it waits."""
    size = Axis("DMA size (bytes)", log=2, ticks="bytes")
    chart = Chart("Gets and puts of one SPE", size, Axis("Bandwidth (GB/s)", least=0))
    for batch, line in rows.where(what="delay").groups("batch"):
        label = f"after {batch} pair{'s' if batch > 1 else ''}" if batch else "at the end"
        chart.line(label, line.column("size_bytes"), line.column("bandwidth_gb_s"))
    yield chart.published("peak, 1K and more", [1024, 16384], [33.6, 33.6])
