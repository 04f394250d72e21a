"""Couples and cycles of SPEs, over ten random placements: Figures 13, 14, 16 and 17."""

from collections.abc import Iterator, Mapping

from cellstats.reproduce import Answers, Ask, Axis, Chart, over_placements

# Some of the paper's sizes: between those that are left out nothing happens.
SIZES = {"elements": [128, 512, 1024, 4096, 16384], "lists": [128, 512, 1024, 16384]}
LIST_BYTES = 16384
"""What a list moves, whatever the size of its elements."""
SIZE = Axis("DMA or list element (bytes)", log=2, ticks="bytes")
BANDWIDTH = Axis("Bandwidth, all SPEs (GB/s)", least=0)


def of_spes(function: str, spes: int) -> Iterator[Ask]:
    """Gets and puts between SPEs of the first chip, single DMAs and lists; 32 MB of each SPE."""
    for transfer, sizes in SIZES.items():
        for size in sizes:
            yield from over_placements(
                "blade-2100",
                function,
                spes=spes,
                size=size,
                list_elements=LIST_BYTES // size if transfer == "lists" else None,
                cells="0",
                transfer=transfer,
            )


def averages(rows: Answers, published: Mapping[str, Mapping[int, float]]) -> Iterator[Chart]:
    """Single DMAs (a) and lists (b), with a line for each number of SPEs."""
    for letter, (transfer, panel) in zip("ab", rows.groups("transfer"), strict=True):
        chart = Chart(f"({letter}) {transfer.capitalize()}, mean of ten", SIZE, BANDWIDTH)
        for spes, line in panel.groups("spes"):
            chart.line(f"{spes} SPEs", line.column("size_bytes"), line.column("bandwidth_gb_s"))
        for spes, bandwidth in published[transfer].items():
            chart.published(f"{spes} SPEs: {bandwidth} GB/s", [LIST_BYTES], [bandwidth])
        yield chart


def extremes(rows: Answers) -> Iterator[Chart]:
    """The same of eight SPEs: what placement does."""
    for letter, (transfer, panel) in zip("ab", rows.groups("transfer"), strict=True):
        chart = Chart(f"({letter}) {transfer.capitalize()}, ten placements", SIZE, BANDWIDTH)
        sizes = panel.column("size_bytes")
        for label, name in (("max", "_max"), ("mean", ""), ("median", "_median"), ("min", "_min")):
            chart.line(label, sizes, panel.column(f"bandwidth_gb_s{name}"), joined=False)
        yield chart
