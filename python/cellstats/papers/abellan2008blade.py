"""Abellán, Fernández, Acacio: Characterizing … Operations in Dual Cell-Based Blades. ICCS, 2008."""

from collections.abc import Iterator, Sequence

from cellstats.reproduce import ABOUT, Axis, Chart, Experiment, Figure, Rows, measured

DMA_SIZE = Axis("DMA size (bytes)", log=2, ticks="bytes")
WITHIN, ACROSS = "0,1", "0,8"
"""Two SPEs of one Cell, and two SPEs of different Cells."""


def spe_label(spes: int) -> str:
    """Legend text for a number of SPEs."""
    return "1 SPE" if spes == 1 else f"{spes} SPEs"


# Table 1: messages

PRIMITIVES = ["mailbox", "signal"]
PUBLISHED_NS: dict[str | None, list[float]] = {
    "library": [10_000, 10_000, 18_000, 18_000],
    "mmio": [779.7, 1678.2, 503.8, 1182.3],
    None: [158.1, 589.9, 160.1, 619.4],
}
"""Latencies of a mailbox on the same Cell and on the other Cell, and then latencies of a signal on
each of the two Cells."""


def table1_rows() -> Iterator[Experiment]:
    """Measure both primitives on both Cells: by system calls, by registers, and between SPEs."""
    for ppe in ("library", "mmio"):
        yield from measured("qs20", PRIMITIVES, ppe=ppe, cells=["0", "1"], iterations=10_000)
    yield from measured(
        "qs20", PRIMITIVES, spe_to_spe=True, placement=[WITHIN, ACROSS], iterations=10_000
    )


def table1_charts(rows: Rows) -> Iterator[Chart]:
    """Draw a panel for each mechanism, with the table's numbers on the bars."""
    titles = {"library": "PPE and SPE, system calls", "mmio": "PPE and SPE, registers"}
    for ppe, messages in rows.where(spe_to_spe=False).groups("ppe"):
        yield _messages(titles[ppe], messages, ppe, "Cell 0", "Cell 1")
    yield _messages("Two SPEs", rows.where(spe_to_spe=True), None, "one Cell", "across")


def _messages(title: str, rows: Rows, ppe: str | None, near: str, far: str) -> Chart:
    names = [f"{primitive}, {where}" for primitive in PRIMITIVES for where in (near, far)]
    # System calls take microseconds.
    unit, ns = ("µs", 1000) if ppe == "library" else ("ns", 1)
    chart = Chart(title, Axis(""), Axis(f"Latency ({unit})", least=0), names=names)
    chart.bar("simulated", [each / ns for each in rows.column("latency_ns")])
    for bar, published in enumerate(PUBLISHED_NS[ppe]):
        chart.published("Table 1", [bar], [published / ns])
    return chart


# Figure 2: atomic operations


def figure2_rows() -> Iterator[Experiment]:
    """Measure atomic operations of 1 to 16 SPEs. Separate variables are 128 bytes apart.

    The second memory needs fewer rows, because the paper says that the choice of memory makes no
    difference.
    """
    for memory, spes in (("0", range(1, 17)), ("1", [1, 2, 4, 8, 16])):
        yield from measured(
            "qs20",
            "fetchadd",
            private=[True, False],
            memory=memory,
            spes=spes,
            iterations=1_000,
        )


def figure2_charts(rows: Rows) -> Iterator[Chart]:
    """Draw all four lines on one panel, as in the paper."""
    chart = Chart("fetchadd", Axis("SPEs", ticks="all"), Axis("Latency (ns)", least=0))
    for (private, memory), line in rows.groups("private", "memory"):
        label = f"{'separate' if private else 'shared'}, memory {memory}"
        chart.line(label, line.column("spes"), line.column("latency_ns"))
    chart.published("separate: 111 ns", [1, 16], [111, 111], margin=ABOUT)
    chart.published("shared: linear to 7.5 µs", [1, 16], [7500 / 16, 7500])
    yield chart


# Figure 3: DMAs from memory

SIZES = [1, 16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]
NEAR_GB_S, FAR_GB_S = 24.6, 13.6
"""Bandwidth of eight SPEs with their own Cell's memory, and with the other Cell's memory."""


def figure3_rows() -> Iterator[Experiment]:
    """Measure shared and private buffers. SPEs of Cell 0 or of Cell 1 are used first."""
    return _gets("0", [1, 2, 4, 8, 16], SIZES)


def figure3_charts(rows: Rows) -> Iterator[Chart]:
    """Draw latency (a to d) above and bandwidth (e to h) below, as in the paper."""
    return _get_charts(rows, "0")


def figure3_memory1_rows() -> Iterator[Experiment]:
    """Measure the rows of Figure 3 for the other memory, with fewer SPE counts and fewer sizes."""
    return _gets("1", [1, 8, 16], [128, 256, 512, 1024, 2048, 4096, 16384])


def figure3_memory1_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the panels of Figure 3 for the other memory, which belongs to Cell 1."""
    return _get_charts(rows, "1")


def _gets(memory: str, spes: Sequence[int], sizes: Sequence[int]) -> Iterator[Experiment]:
    """Measure `get` commands from one memory. The column `first` contains the Cell whose SPEs are
    used first.
    """
    for private in (False, True):
        for first, cells in (("0", "01"), ("1", "10")):
            for count in spes:
                for size in sizes:
                    yield from measured(
                        "qs20",
                        "dmaget",
                        memory=memory,
                        private=private,
                        # If all sixteen SPEs are used, the order of the Cells makes no difference.
                        cells=cells if count < 16 else "01",
                        spes=count,
                        size=size,
                        iterations=_iterations(size, private),
                        first=first,
                    )


def _iterations(size: int, private: bool) -> int:
    """Number of iterations until a measurement settles: thousands if SPEs contend for lines."""
    if size <= 128 and not private:
        return 5_000
    return 500 if size <= 4096 else 200


def _get_charts(rows: Rows, memory: str) -> Iterator[Chart]:
    """Panels (a) to (h)."""
    for letter, ((private, first), lines) in _lettered("abcd", rows):
        chart = Chart(_get_title(letter, private, first), DMA_SIZE, Axis("Latency (ns)", log=10))
        for spes, line in lines.groups("spes"):
            chart.line(spe_label(spes), line.column("size_bytes"), line.column("latency_ns"))
        if private:
            chart.published("300 ns", [1, 128], [300, 300])
        yield chart
    bandwidth = Axis("Bandwidth (GB/s)", least=0)
    for letter, ((private, first), lines) in _lettered("efgh", rows):
        chart = Chart(_get_title(letter, private, first), DMA_SIZE, bandwidth)
        for spes, line in lines.groups("spes"):
            chart.line(spe_label(spes), line.column("size_bytes"), line.column("bandwidth_gb_s"))
        most = NEAR_GB_S if first == memory else FAR_GB_S
        chart.published(f"8 SPEs: {most} GB/s", [16384], [most])
        yield chart


def _lettered(letters: str, rows: Rows) -> Iterator[tuple[str, tuple[tuple[bool, str], Rows]]]:
    return zip(letters, rows.groups("private", "first"), strict=True)


def _get_title(letter: str, private: bool, first: str) -> str:
    return f"({letter}) Cell {first} first, {'private' if private else 'shared'}"


# Figure 4: DMAs between local stores

READERS = {
    "within": {1: "0,1", 2: "0-2", 4: "0-4", 7: "0-7"},
    "across": {1: "0,8", 2: "0,8,9", 4: "0,8-11", 8: "0,8-15"},
}
"""Placements of an idle SPE 0 and of the SPEs that read SPE 0's local store."""


def figure4_rows() -> Iterator[Experiment]:
    """Measure `get` commands within a Cell and between Cells, by the number of SPEs that read."""
    for panel, placements in READERS.items():
        for readers, placement in placements.items():
            for size in SIZES:
                yield from measured(
                    "qs20",
                    "dmaget",
                    spe_to_spe=True,
                    placement=placement,
                    size=size,
                    iterations=_iterations(size, private=True),
                    panel=panel,
                    readers=readers,
                )


def figure4_charts(rows: Rows) -> Iterator[Chart]:
    """Draw latency and bandwidth within a Cell (a, b) and between Cells (c, d)."""
    names = {"within": ("(a)", "(b)", "within a Cell"), "across": ("(c)", "(d)", "across")}
    for panel, lines in rows.groups("panel"):
        first, second, where = names[panel]
        latency = Chart(f"{first} Latency {where}", DMA_SIZE, Axis("Latency (ns)", log=10))
        bandwidth = Chart(
            f"{second} Bandwidth {where}", DMA_SIZE, Axis("Bandwidth (GB/s)", least=0)
        )
        for readers, line in lines.groups("readers"):
            label = spe_label(readers)
            latency.line(label, line.column("size_bytes"), line.column("latency_ns"))
            bandwidth.line(label, line.column("size_bytes"), line.column("bandwidth_gb_s"))
        if panel == "within":
            bandwidth.published("interface: 25.6 GB/s", [128, 16384], [25.6, 25.6])
        else:
            bandwidth.published("less than 13.6 GB/s", [128, 16384], [13.6, 13.6])
        yield from (latency, bandwidth)


# The text

ATOMICS = ["fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset"]


def text_rows() -> Iterator[Experiment]:
    """Measure rows for the comparisons in the paper's text. The column `what` contains the name of
    the comparison.
    """
    yield from measured("qs20", "mkthread", iterations=100, what="thread")
    yield from measured("qs20", PRIMITIVES, iterations=10_000, what="message")
    for spes, private in ((1, False), (16, True), (16, False)):
        yield from measured(
            "qs20", ATOMICS, spes=spes, private=private, iterations=500, what="atomic"
        )
    # Variables 4 bytes apart share one lock line.
    yield from measured(
        "qs20", "fetchadd", spes=8, private=True, stride=[4, 128], iterations=500, what="stride"
    )
    for size in (128, 1024, 16384):
        yield from measured(
            "qs20",
            ["dmaget", "dmaput"],
            size=size,
            private=True,
            spes=[1, 8],
            cells=["0", "1"],
            iterations=_iterations(size, private=True),
            what="direction",
        )
    # DMAs that end at the end of a 128-byte line, and DMAs that end within a line.
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
    # SPEs of Cell 1 that read from a local store of Cell 0, and from Cell 0's memory.
    for size, readers in ((128, "8"), (16384, "8-15")):
        for spe_to_spe, placement in ((True, f"0,{readers}"), (False, readers)):
            yield from measured(
                "qs20",
                "dmaget",
                size=size,
                private=not spe_to_spe,
                spe_to_spe=spe_to_spe,
                placement=placement,
                iterations=_iterations(size, private=True),
                what="far",
            )


def text_charts(rows: Rows) -> Iterator[Chart]:
    """Draw charts that compare puts with gets, and atomic operations with each other."""
    for cell in ("0", "1"):
        chart = Chart(f"Puts and gets, Cell {cell}", DMA_SIZE, Axis("Latency (ns)", log=10))
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


FIGURES = (
    Figure(
        "table1",
        "Table 1: a message and its answer, between PPE and SPE and between two SPEs",
        table1_rows,
        table1_charts,
    ),
    Figure(
        "figure2",
        "Figure 2: fetchadd on shared and separate variables",
        figure2_rows,
        figure2_charts,
    ),
    Figure(
        "figure3",
        "Figure 3: gets from the memory of Cell 0, by SPEs of either Cell first",
        figure3_rows,
        figure3_charts,
    ),
    Figure(
        "figure3_memory1",
        "Figure 3 with all buffers in the memory of Cell 1: just the opposite, the text says",
        figure3_memory1_rows,
        figure3_memory1_charts,
    ),
    Figure(
        "figure4",
        "Figure 4: moves from one SPE's local store to others of its Cell, and of the other Cell",
        figure4_rows,
        figure4_charts,
    ),
    Figure(
        "text",
        "What the text says without a figure: threads, puts, the other atomics, what crosses",
        text_rows,
        text_charts,
    ),
)
