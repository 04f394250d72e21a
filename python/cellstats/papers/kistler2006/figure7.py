"""Figure 7: how long every single DMA takes at a hot spot in memory, by SPE."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured


def rows() -> Iterator[Ask]:
    """Eight SPEs, blocking, 16 KB; and one SPE alone."""
    return measured(
        "eval-board",
        "hotspot",
        spes=[8, 1],
        op=["put", "get"],
        batch=1,
        histogram=True,
        iterations=512,
    )


def draw(rows: Answers) -> Iterator[Chart]:
    """Puts (a) and gets (b), the SPEs stacked: equal heights are equal distributions."""
    for letter, row in zip("ab", rows.where(spes=8), strict=True):
        assert row.result is not None
        assert row.result.dma_latency is not None
        whole = row.result.dma_latency.count
        title = f"({letter}) {row['op'].capitalize()}s"
        chart = Chart(title, Axis("Latency (µs)", least=0, most=14), Axis("DMAs of all SPEs (%)"))
        for spe in row.result.per_spe:
            assert spe.dma_latency is not None
            bins = spe.dma_latency.bins
            edges = [(each.from_ns / 1000, each.to_ns / 1000) for each in bins]
            chart.histogram(f"SPE {spe.spe}", edges, [100 * each.count / whole for each in bins])
        chart.published("most: 5.6 µs", [5.6], [0]).published("longest: 13 µs", [13], [0])
        yield chart
