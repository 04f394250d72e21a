"""Figure 5: what batches do to latency and bandwidth, by target and direction."""

from collections.abc import Iterator
from typing import Any

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

SIZES = [2**power for power in range(3, 15)]
BATCHES = [1, 2, 4, 8, 16, 32, 0]
TARGETS: dict[str, dict[str, Any]] = {
    "memory": {},
    "local store": {"spes": 2, "spe_to_spe": True},
}
ITERATIONS = 1024


def rows() -> Iterator[Ask]:
    """Puts and gets of one SPE, with memory and with another local store."""
    for target, parameters in TARGETS.items():
        for op in ("put", "get"):
            yield from measured(
                "eval-board",
                f"dma{op}",
                batch=BATCHES,
                size=SIZES,
                iterations=ITERATIONS,
                panel=f"{op}, {target}",
                **parameters,
            )


def draw(rows: Answers) -> Iterator[Chart]:
    """Latency of a batch above, bandwidth below, as in the paper."""
    size = Axis("DMA size (bytes)", log=2, ticks="bytes")
    for panel, lines in rows.groups("panel"):
        chart = Chart(f"Latency of a batch: {panel}", size, Axis("Latency (ns)", log=10))
        for batch, line in lines.groups("batch"):
            if batch > 0:
                whole = [batch * each for each in line.column("latency_ns")]
                chart.line(_label(batch), line.column("size_bytes"), whole)
        yield chart
    for panel, lines in rows.groups("panel"):
        chart = Chart(f"Bandwidth: {panel}", size, Axis("Bandwidth (GB/s)", least=0))
        for batch, line in lines.groups("batch"):
            chart.line(_label(batch), line.column("size_bytes"), line.column("bandwidth_gb_s"))
        if panel.startswith("put"):
            chart.published("25.6 GB/s from 2K", [2048, 16384], [25.6, 25.6])
        yield chart


def _label(batch: int) -> str:
    return {1: "blocking", 0: "nonblocking"}.get(batch, f"batch {batch}")
