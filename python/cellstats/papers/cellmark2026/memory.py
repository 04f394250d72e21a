"""Sections 2.3 and 4.1: six SPEs stream from and to memory, by DMAs under way and by their size."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, programmed

SIZES = [256, 512, 1024, 2048, 4096, 8192, 16384]


def rows() -> Iterator[Ask]:
    """Gets and puts of 16 KB, two and eight under way in each SPE; gets of every size."""
    yield from programmed(
        "ps3", "stream", spes=6, op=["get", "put"], size=16384, depth=[2, 8], what="depth"
    )
    yield from programmed("ps3", "stream", spes=6, op="get", size=SIZES, depth=8, what="size")


def draw(rows: Answers) -> Iterator[Chart]:
    """Bandwidth by the size of a DMA, eight under way."""
    size = Axis("DMA size (bytes)", log=2, ticks="bytes")
    chart = Chart("Six SPEs and memory", size, Axis("Bandwidth, all SPEs (GB/s)", least=0))
    line = rows.where(what="size")
    chart.line("gets", line.column("size_bytes"), line.column("bandwidth_gb_s"))
    chart.published("gets: about 22.0 GB/s", [256, 16384], [22, 22])
    yield chart
