"""What the text says without a figure: threads, puts, the other atomics, what crosses."""

from collections.abc import Iterator

from cellstats.papers.abellan2008blade.figure3 import iterations, spe_label
from cellstats.papers.abellan2008blade.table1 import ACROSS, WITHIN
from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

ATOMICS = ["fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset"]
SIZES = [128, 1024, 16384]


def rows() -> Iterator[Ask]:
    """What is compared has a name in the column `what`."""
    yield from measured("qs20", "mkthread", iterations=100, what="thread")
    yield from measured("qs20", ["mailbox", "signal"], iterations=10_000, what="message")
    for spes, private in ((1, False), (16, True), (16, False)):
        yield from measured(
            "qs20", ATOMICS, spes=spes, private=private, iterations=500, what="atomic"
        )
    # Variables of 4 bytes side by side lie in one line.
    yield from measured(
        "qs20", "fetchadd", spes=8, private=True, stride=[4, 128], iterations=500, what="stride"
    )
    for size in SIZES:
        yield from measured(
            "qs20",
            ["dmaget", "dmaput"],
            size=size,
            private=True,
            spes=[1, 8],
            cells=["0", "1"],
            iterations=iterations(size, private=True),
            what="direction",
        )
    # A whole number of lines, and one that ends within a line.
    yield from measured(
        "qs20", ["dmaget", "dmaput"], size=[2048, 2048 - 16], iterations=500, what="lines"
    )
    yield from measured(
        "qs20",
        ["dmaget", "dmaput"],
        size=128,
        spe_to_spe=True,
        placement=[WITHIN, ACROSS],
        iterations=500,
        what="crossing",
    )
    # Who reads, from another local store and from memory.
    for size, readers in ((128, "8"), (16384, "8-15")):
        for spe_to_spe, placement in ((True, f"0,{readers}"), (False, readers)):
            yield from measured(
                "qs20",
                "dmaget",
                size=size,
                private=not spe_to_spe,
                spe_to_spe=spe_to_spe,
                placement=placement,
                iterations=iterations(size, private=True),
                what="far",
            )


def draw(rows: Answers) -> Iterator[Chart]:
    """Puts beside gets, and the atomic operations beside each other."""
    axis = Axis("DMA size (bytes)", log=2, ticks="bytes")
    for cell in ("0", "1"):
        chart = Chart(f"Puts and gets, Cell {cell}", axis, Axis("Latency (ns)", log=10))
        lines = rows.where(what="direction", cells=cell).groups("function", "spes")
        for (function, spes), line in lines:
            label = f"{function.removeprefix('dma')}, {spe_label(spes)}"
            chart.line(label, line.column("size_bytes"), line.column("latency_ns"))
        yield chart
    chart = Chart("Atomic operations", Axis(""), Axis("Latency (µs)", log=10), names=ATOMICS)
    for (spes, private), line in rows.where(what="atomic").groups("spes", "private"):
        if spes > 1:
            of = "its own variable" if private else "a shared one"
            chart.bar(f"16 SPEs, {of}", [each / 1000 for each in line.column("latency_ns")])
    yield chart
