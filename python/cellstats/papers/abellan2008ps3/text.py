"""What the text says without a figure: other atomics, two local stores, other strides."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

ATOMICS = ["fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset"]
PAIR_SIZES = [128, 256, 512, 1024, 2048, 4096, 8192, 16384]


def rows() -> Iterator[Ask]:
    """The atomic operations of 1 and 6 SPEs, and a pair of SPEs with 16 DMAs under way."""
    for spes, private in ((1, False), (6, True), (6, False)):
        yield from measured("ps3", ATOMICS, spes=spes, private=private, iterations=1_000)
    # Variables 2 KB apart; those of 4 bytes side by side lie in one line.
    for stride in (2048, 4):
        yield from measured(
            "ps3",
            "fetchadd",
            private=True,
            spes=[2, 6],
            stride=stride,
            iterations=1_000,
            what="stride",
        )
    yield from measured(
        "ps3",
        ["dmaput", "dmaget"],
        spes=2,
        spe_to_spe=True,
        batch=16,
        size=PAIR_SIZES,
        iterations=320,
    )


def draw(rows: Answers) -> Iterator[Chart]:
    """The pair."""
    size = Axis("DMA size (bytes)", log=2, ticks="bytes")
    chart = Chart("Two local stores, 16 DMAs at a time", size, Axis("Bandwidth (GB/s)", least=0))
    for function, line in rows.where(spe_to_spe=True).groups("function"):
        label = function.removeprefix("dma")
        chart.line(label, line.column("size_bytes"), line.column("bandwidth_gb_s"))
    chart.published("the limit: 25.6 GB/s", [128, 16384], [25.6, 25.6])
    yield chart
