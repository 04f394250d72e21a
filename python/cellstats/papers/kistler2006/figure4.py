"""Figure 4: latency and bandwidth of blocking DMAs of one SPE, by size."""

from collections.abc import Iterator

from cellstats.papers.kistler2006 import figure5
from cellstats.reproduce import Answers, Ask, Axis, Chart

SIZE = Axis("DMA size (bytes)", log=2, ticks="bytes")


def rows() -> Iterator[Ask]:
    """The blocking ones of Figure 5."""
    return (ask for ask in figure5.rows() if ask.columns["batch"] == 1)


def draw(rows: Answers) -> Iterator[Chart]:
    """Latency (a) and bandwidth (b)."""
    latency = Chart("(a) Latency", SIZE, Axis("Latency (ns)", log=10))
    bandwidth = Chart("(b) Bandwidth", SIZE, Axis("Bandwidth (GB/s)", least=0))
    latency.published("91 ns up to 512 B", [8, 512], [91, 91])
    bandwidth.published("22.5 GB/s at 16K", [16384], [22.5])
    bandwidth.published("15 GB/s, get, memory", [16384], [15])
    for panel, line in rows.groups("panel"):
        latency.line(panel, line.column("size_bytes"), line.column("latency_ns"))
        bandwidth.line(panel, line.column("size_bytes"), line.column("bandwidth_gb_s"))
    yield from (latency, bandwidth)
