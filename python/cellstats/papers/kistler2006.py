"""Kistler, Perrone, Petrini: Cell Multiprocessor Communication Network. IEEE Micro, 2006."""

from collections.abc import Iterator
from typing import Any

from cellstats.reproduce import (
    Axis,
    Chart,
    Experiment,
    Figure,
    Rows,
    measured,
    programmed,
    taken_apart,
)

DMA_SIZE = Axis("DMA size (bytes)", log=2, ticks="bytes")

# Table 1

COMPONENTS = {
    "DMA issue": ("dma_issue", 10),
    "DMA to EIB": ("dma_to_eib", 30),
    "list element fetch": ("list_element_fetch", 10),
    "coherence protocol": ("coherence_protocol", 100),
    "data transfer": ("transfer_and_completion", 140),
    "total": ("total", 290),
}
"""Components of Table 1, each with the name of the column for simulated cycles, and the published
number of cycles.

The paper counts the completion as part of the data transfer. The paper's total includes the fetch
of one list element, which a single put does not need.
"""


def table1_rows() -> Iterator[Experiment]:
    """Measure the issue of a command with an address of 32 bits, a put between local stores, a put
    to memory, a get from memory, and put lists.
    """
    yield from programmed("eval-board", "issue", what="issue")
    yield from taken_apart("eval-board", "dmaput", spe_to_spe=True, what="put")
    yield from taken_apart("eval-board", "dmaput", what="put to memory")
    yield from taken_apart("eval-board", "dmaget", what="get from memory")
    for elements in (1, 2):
        yield from taken_apart(
            "eval-board",
            "dmalistput",
            spe_to_spe=True,
            list_elements=elements,
            what=f"list of {elements}",
        )


def table1_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the published and simulated components of a put. A list would not fit the scale."""
    [put] = rows.where(what="put")
    names = [name for name in COMPONENTS if name != "list element fetch"]
    chart = Chart("A put between two local stores", Axis(""), Axis("SPU cycles"), names=names)
    chart.bar("simulated", [put[COMPONENTS[name][0]] for name in names])
    for bar, name in enumerate(names):
        published = COMPONENTS[name][1] - (10 if name == "total" else 0)
        chart.published("without a list's 10", [bar], [published])
    yield chart


# Figures 4 and 5: DMAs of one SPE

SIZES = [2**power for power in range(3, 15)]
BATCHES = [1, 2, 4, 8, 16, 32, 0]
TARGETS: dict[str, dict[str, Any]] = {
    "memory": {},
    "local store": {"spes": 2, "spe_to_spe": True},
}


def figure4_rows() -> Iterator[Experiment]:
    """Measure the blocking DMAs of Figure 5."""
    return (each for each in figure5_rows() if each.columns["batch"] == 1)


def figure4_charts(rows: Rows) -> Iterator[Chart]:
    """Draw latency (a) and bandwidth (b)."""
    latency = Chart("(a) Latency", DMA_SIZE, Axis("Latency (ns)", log=10))
    bandwidth = Chart("(b) Bandwidth", DMA_SIZE, Axis("Bandwidth (GB/s)", least=0))
    latency.published("91 ns up to 512 B", [8, 512], [91, 91])
    bandwidth.published("22.5 GB/s at 16K", [16384], [22.5])
    bandwidth.published("15 GB/s, get, memory", [16384], [15])
    for panel, line in rows.groups("panel"):
        latency.line(panel, line.column("size_bytes"), line.column("latency_ns"))
        bandwidth.line(panel, line.column("size_bytes"), line.column("bandwidth_gb_s"))
    yield from (latency, bandwidth)


def figure5_rows() -> Iterator[Experiment]:
    """Measure puts and gets of one SPE with memory and with another local store."""
    for target, parameters in TARGETS.items():
        for op in ("put", "get"):
            yield from measured(
                "eval-board",
                f"dma{op}",
                batch=BATCHES,
                size=SIZES,
                iterations=1024,
                panel=f"{op}, {target}",
                **parameters,
            )


def figure5_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the latency of a batch above and the bandwidth below, as in the paper."""
    for panel, lines in rows.groups("panel"):
        chart = Chart(f"Latency of a batch: {panel}", DMA_SIZE, Axis("Latency (ns)", log=10))
        for batch, line in lines.groups("batch"):
            if batch > 0:
                whole = [batch * each for each in line.column("latency_ns")]
                chart.line(_batch_label(batch), line.column("size_bytes"), whole)
        yield chart
    for panel, lines in rows.groups("panel"):
        chart = Chart(f"Bandwidth: {panel}", DMA_SIZE, Axis("Bandwidth (GB/s)", least=0))
        for batch, line in lines.groups("batch"):
            label = _batch_label(batch)
            chart.line(label, line.column("size_bytes"), line.column("bandwidth_gb_s"))
        if panel.startswith("put"):
            chart.published("25.6 GB/s from 2K", [2048, 16384], [25.6, 25.6])
        yield chart


def _batch_label(batch: int) -> str:
    return {1: "blocking", 0: "nonblocking"}.get(batch, f"batch {batch}")


# Figures 6 and 7: hot spots and patterns

PATTERNS = ["complement", "pairwise", "uniform"]


def figure6_rows() -> Iterator[Experiment]:
    """Measure all bandwidths of the figure. A hot SPE is counted as one of the SPEs."""
    for target in ("memory", "0"):
        yield from measured(
            "eval-board",
            "hotspot",
            op=["get", "put"],
            target=target,
            spes=range(1 if target == "memory" else 2, 9),
            iterations=512,
        )
    yield from measured("eval-board", PATTERNS, op=["get", "put"], iterations=512)


def figure6_charts(rows: Rows) -> Iterator[Chart]:
    """Draw hot spots (a) and patterns (b)."""
    bandwidth = Axis("Bandwidth, all SPEs (GB/s)", least=0)
    hot = Chart("(a) Hot spots", Axis("SPEs", ticks="all"), bandwidth)
    hot.published("gets: 25.6 GB/s", [2, 8], [25.6, 25.6])
    hot.published("puts: 1.5 less", [2, 8], [24.1, 24.1])
    for (target, op), line in rows.where(function="hotspot").groups("target", "op"):
        what = "memory" if target == "memory" else "local store"
        hot.line(f"{op}, {what}", line.column("spes"), line.column("bandwidth_gb_s"))
    yield hot

    patterns = Chart("(b) Patterns of eight SPEs", Axis(""), bandwidth, names=PATTERNS)
    for op in ("get", "put"):
        of = [rows.where(function=name, op=op)[0]["bandwidth_gb_s"] for name in PATTERNS]
        patterns.bar(op, of)
    patterns.published("200 and 80 GB/s; pairwise puts 40 less", [0], [200])
    patterns.published("200 and 80 GB/s; pairwise puts 40 less", [2], [80])
    yield patterns


def figure7_rows() -> Iterator[Experiment]:
    """Measure blocking 16 KB DMAs of eight SPEs, and of one SPE alone."""
    return measured(
        "eval-board",
        "hotspot",
        spes=[8, 1],
        op=["put", "get"],
        batch=1,
        histogram=True,
        iterations=512,
    )


def figure7_charts(rows: Rows) -> Iterator[Chart]:
    """Draw `put` commands (a) and `get` commands (b), with the SPEs stacked. Equal heights mean
    equal distributions.
    """
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


# The text

HALF_WAY, NEIGHBOURS = "0,7,1,6,2,5,3,4", "1,3,5,7,0,2,4,6"
"""Two placements of four pairs of SPEs. The SPEs of a pair are on opposite sides of the ring, or
one hop apart."""
CLOCKWISE = "1,7,2,3,6,0,5,4"
"""A cycle in which all puts go clockwise and all gets go counterclockwise, mostly over five
hops."""


def text_rows() -> Iterator[Experiment]:
    """Measure every pair of SPEs, every SPE with memory, double precision, mailboxes, and
    patterns.
    """
    pairs = [f"{a},{b}" for a in range(8) for b in range(8) if a != b]
    yield from measured(
        "eval-board",
        ["dmaget", "dmaput"],
        size=128,
        spe_to_spe=True,
        placement=pairs,
        iterations=200,
        what="pair",
    )
    yield from measured(
        "eval-board",
        ["dmaget", "dmaput"],
        size=128,
        placement=[str(spe) for spe in range(8)],
        iterations=200,
        what="with memory",
    )
    yield from programmed("eval-board", "loop", kind="double", instructions=128)
    yield from measured("eval-board", "mailbox", spes=2, spe_to_spe=True, iterations=1000)
    yield from measured("eval-board", "mailbox", ppe="mmio", iterations=1000)
    for op, what in (("put", "one way"), ("copy", "both ways")):
        yield from measured(
            "eval-board", "cycle", op=op, placement=CLOCKWISE, iterations=512, what=what
        )
    for what, placement in (("half way", HALF_WAY), ("neighbours", NEIGHBOURS)):
        yield from measured(
            "eval-board",
            "pairwise",
            op=["get", "put"],
            placement=placement,
            iterations=512,
            what=what,
        )
    yield from measured(
        "eval-board", ["couples", "cycle"], op=["get", "put", "copy"], iterations=512, what="static"
    )


def text_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the latency from SPE 0 to every other SPE, which is nearly the same at every
    distance.
    """
    chart = Chart(
        "128 bytes, SPE 0 and another", Axis("SPE", ticks="all"), Axis("Latency (ns)", least=0)
    )
    for function in ("dmaget", "dmaput"):
        line = [
            row
            for row in rows.where(function=function, what="pair")
            if row["placement"].startswith("0,")
        ]
        others = [int(row["placement"].split(",")[1]) for row in line]
        name = function.removeprefix("dma")
        chart.line(f"{name}, local store", others, [row["latency_ns"] for row in line])
    chart.published("91 ns", [1, 7], [91, 91])
    yield chart


FIGURES = (
    Figure(
        "table1",
        "Table 1: the components of one DMA's latency",
        table1_rows,
        table1_charts,
    ),
    Figure(
        "figure4",
        "Figure 4: latency and bandwidth of blocking DMAs of one SPE, by size",
        figure4_rows,
        figure4_charts,
    ),
    Figure(
        "figure5",
        "Figure 5: what batches do to latency and bandwidth, by target and direction",
        figure5_rows,
        figure5_charts,
    ),
    Figure(
        "figure6",
        "Figure 6: hot spots by the number of SPEs, and patterns of eight SPEs",
        figure6_rows,
        figure6_charts,
    ),
    Figure(
        "figure7",
        "Figure 7: how long every single DMA takes at a hot spot in memory, by SPE",
        figure7_rows,
        figure7_charts,
    ),
    Figure(
        "text",
        "Basic DMA performance: what the text says without a figure",
        text_rows,
        text_charts,
    ),
)
