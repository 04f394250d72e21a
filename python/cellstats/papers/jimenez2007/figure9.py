"""Figure 9: SPEs and main memory, by the size of a DMA, over ten random placements."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, over_placements

# Some of the paper's sizes; from 512 bytes on little changes.
SIZES = [128, 512, 4096, 16384]


def rows() -> Iterator[Ask]:
    """Gets, puts and copies of the first chip, 32 MB of each SPE, its data in both memories, as on
    that system.
    """
    for op in ("get", "put", "copy"):
        for spes in (1, 2, 4, 8):
            for size in SIZES:
                yield from over_placements(
                    "blade-2100",
                    "hotspot",
                    op=op,
                    spes=spes,
                    size=size,
                    cells="0",
                    memory="interleave",
                )


def draw(rows: Answers) -> Iterator[Chart]:
    """Gets (a), puts (b) and copies (c)."""
    size = Axis("DMA size (bytes)", log=2, ticks="bytes")
    for letter, (op, panel) in zip("abc", rows.groups("op"), strict=True):
        axis = Axis("Bandwidth, all SPEs (GB/s)", least=0)
        chart = Chart(f"({letter}) {op.capitalize()}, memory", size, axis)
        for spes, line in panel.groups("spes"):
            label = f"{spes} SPE{'s' if spes > 1 else ''}"
            chart.line(label, line.column("size_bytes"), line.column("bandwidth_gb_s"))
        chart.published("1 SPE: 10 GB/s", [16384], [10])
        if op == "copy":
            chart.published("at most 23 GB/s", [16384], [23])
        else:
            chart.published("2 and more: 20 GB/s", [16384], [20])
            chart.published("peak", [128, 16384], [23.8, 23.8])
        yield chart
