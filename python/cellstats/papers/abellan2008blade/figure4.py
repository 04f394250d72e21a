"""Figure 4: moves from one SPE's local store to others of its Cell, and of the other Cell."""

from collections.abc import Iterator

from cellstats.papers.abellan2008blade.figure3 import SIZES, iterations, spe_label
from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

# Who reads from the local store of SPE 0, which itself does nothing.
PANELS = {
    "within": {1: "0,1", 2: "0-2", 4: "0-4", 7: "0-7"},
    "across": {1: "0,8", 2: "0,8,9", 4: "0,8-11", 8: "0,8-15"},
}


def rows() -> Iterator[Ask]:
    """Both ways, by how many SPEs read."""
    for panel, placements in PANELS.items():
        for readers, placement in placements.items():
            for size in SIZES:
                yield from measured(
                    "qs20",
                    "dmaget",
                    spe_to_spe=True,
                    placement=placement,
                    size=size,
                    iterations=iterations(size, private=True),
                    panel=panel,
                    readers=readers,
                )


def draw(rows: Answers) -> Iterator[Chart]:
    """Latency and bandwidth within a Cell (a, b) and across (c, d)."""
    size = Axis("DMA size (bytes)", log=2, ticks="bytes")
    names = {"within": ("(a)", "(b)", "within a Cell"), "across": ("(c)", "(d)", "across")}
    for panel, lines in rows.groups("panel"):
        first, second, where = names[panel]
        latency = Chart(f"{first} Latency {where}", size, Axis("Latency (ns)", log=10))
        bandwidth = Chart(f"{second} Bandwidth {where}", size, Axis("Bandwidth (GB/s)", least=0))
        for readers, line in lines.groups("readers"):
            label = spe_label(readers)
            latency.line(label, line.column("size_bytes"), line.column("latency_ns"))
            bandwidth.line(label, line.column("size_bytes"), line.column("bandwidth_gb_s"))
        if panel == "within":
            bandwidth.published("interface: 25.6 GB/s", [128, 16384], [25.6, 25.6])
        else:
            bandwidth.published("less than 13.6 GB/s", [128, 16384], [13.6, 13.6])
        yield from (latency, bandwidth)
