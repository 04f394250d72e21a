"""Jiménez-González, Martorell, Ramírez: Performance Analysis of Cell BE, ISPASS 2007."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from cellstats.reproduce import (
    Axis,
    Chart,
    Experiment,
    Figure,
    Rows,
    measured,
    over_placements,
    programmed,
)

MACHINE = "blade-2100"
DMA_SIZE = Axis("DMA size (bytes)", log=2, ticks="bytes")
BANDWIDTH = Axis("Bandwidth (GB/s)", least=0)
ALL_BANDWIDTH = Axis("Bandwidth, all SPEs (GB/s)", least=0)

# Figures 3, 4, 5 and 7: loads, stores and copies of the PPE, by element size.
# The paper compares each memory level with the level above, so figures have rows for both.

ACCESSES = ("load", "store", "copy")
ELEMENTS = (1, 2, 4, 8, 16)
MEMORY_BYTES = 4 << 20
"""Bytes read and written in main memory. The paper's 128 MB change results by less than 1 %."""


def ppe_rows(*levels: str) -> Iterator[Experiment]:
    """Measure accesses of one and of two threads, to elements of 1 to 16 bytes."""
    for level in levels:
        for function in ACCESSES:
            for threads in (1, 2):
                for size in ELEMENTS:
                    moved = threads * size * (2 if function == "copy" else 1)
                    yield from measured(
                        MACHINE,
                        function,
                        level=level,
                        threads=threads,
                        size=size,
                        iterations=MEMORY_BYTES // moved if level == "memory" else None,
                    )


def access_charts(rows: Rows, level: str, name: str) -> dict[str, Chart]:
    """Draw loads (a), stores (b) and copies (c), with one line for each number of threads."""
    found = {}
    size = Axis("Element (bytes)", log=2, ticks="bytes")
    panels = rows.where(level=level).groups("function")
    for letter, (function, panel) in zip("abc", panels, strict=True):
        chart = Chart(f"({letter}) {name}, {function}", size, BANDWIDTH)
        for threads, line in panel.groups("threads"):
            label = f"{threads} thread{'s' if threads > 1 else ''}" if threads else "an SPU"
            chart.line(label, line.column("size_bytes"), line.column("bandwidth_gb_s"))
        found[function] = chart
    return found


def figure3_charts(rows: Rows) -> Iterator[Chart]:
    """The L1."""
    charts = access_charts(rows, "l1", "L1")
    charts["load"].published("2, 4, 8, 16.8 GB/s", ELEMENTS, [2, 4, 8, 16.8, 16.8])
    charts["copy"].published("half the peak, 1 thread", [16], [16.8])
    yield from charts.values()


def level_charts(level: str, name: str, rows: Rows) -> Iterator[Chart]:
    """Draw transfers with a level of memory for which the paper's text has no numbers."""
    yield from access_charts(rows, level, name).values()


def figure7_charts(rows: Rows) -> Iterator[Chart]:
    """Main memory."""
    for chart in access_charts(rows, "memory", "Memory").values():
        yield chart.published("under 6 GB/s", [1, 16], [6, 6])


def _add_means(chart: Chart, label: str, rows: Rows) -> None:
    """Add mean bandwidths over placements, with their range."""
    ends = rows.ends("bandwidth_gb_s")
    chart.line(label, rows.column("size_bytes"), rows.column("bandwidth_gb_s"), ends=ends)


# Figure 9: SPEs and memory


def figure9_rows() -> Iterator[Experiment]:
    """Measure gets, puts and copies by the first chip's SPEs, which move 32 MB each.

    The data are in both memories, as on the paper's system. Some of the paper's sizes are omitted,
    because bandwidth changes little above 512 bytes.
    """
    for op in ("get", "put", "copy"):
        for spes in (1, 2, 4, 8):
            for size in (128, 512, 4096, 16384):
                yield from over_placements(
                    MACHINE,
                    "hotspot",
                    op=op,
                    spes=spes,
                    size=size,
                    cells="0",
                    memory="interleave",
                )


def figure9_charts(rows: Rows) -> Iterator[Chart]:
    """Draw `get` commands (a), `put` commands (b) and copies (c)."""
    for letter, (op, panel) in zip("abc", rows.groups("op"), strict=True):
        chart = Chart(f"({letter}) {op.capitalize()}, memory", DMA_SIZE, ALL_BANDWIDTH)
        for spes, line in panel.groups("spes"):
            label = f"{spes} SPE{'s' if spes > 1 else ''}"
            _add_means(chart, label, line)
        chart.published("1 SPE: 10 GB/s", [16384], [10])
        if op == "copy":
            chart.published("at most 23 GB/s", [16384], [23])
        else:
            chart.published("2 and more: 20 GB/s", [16384], [20])
            chart.published("peak", [128, 16384], [23.8, 23.8])
        yield chart


# Figure 11: when to wait


def figure11_rows() -> Iterator[Experiment]:
    """Measure transfers of 32 MB, as in the paper, to the next SPE and to every other SPE."""
    sizes, batches = [2**power for power in range(7, 15)], [1, 2, 4, 8, 16, 32, 0]
    yield from measured(
        MACHINE, "couples", batch=batches, size=sizes, placement="0,1", what="delay"
    )
    yield from measured(
        MACHINE,
        "couples",
        size=16384,
        placement=[f"0,{partner}" for partner in range(1, 8)],
        what="partner",
    )


def figure11_charts(rows: Rows) -> Iterator[Chart]:
    """Draw one line for each number of get-and-put pairs after which the SPE waits."""
    chart = Chart("Gets and puts of one SPE", DMA_SIZE, BANDWIDTH)
    for batch, line in rows.where(what="delay").groups("batch"):
        label = f"after {batch} pair{'s' if batch > 1 else ''}" if batch else "at the end"
        chart.line(label, line.column("size_bytes"), line.column("bandwidth_gb_s"))
    yield chart.published("peak, 1K and more", [1024, 16384], [33.6, 33.6])


# Figures 13, 14, 16 and 17: pairs (couples) and rings (cycles) of SPEs, over ten random placements.
# The paper compares the two patterns, so the figures about cycles also have the rows of couples.

LIST_BYTES = 16384
"""Total bytes of a list, independent of the element size."""
TRANSFERS = {"elements": [128, 512, 1024, 4096, 16384], "lists": [128, 512, 1024, 16384]}
"""Sizes of single DMAs and of list elements: the paper's sizes at which bandwidth changes."""
COUPLES_GB_S = {
    "elements": {2: 33.6, 4: 67.2, 8: 95},
    "lists": {2: 33.6, 4: 67.2, 8: 81},
}
CYCLES_GB_S = {transfer: {2: 33.6, 4: 50, 8: 70} for transfer in TRANSFERS}
"""Published bandwidths of single DMAs and of lists, by the number of SPEs."""
COUPLES_RANGES_GB_S = dict.fromkeys(TRANSFERS, (40, 50))
CYCLES_RANGES_GB_S = {"elements": (20,), "lists": (10,)}
"""Published differences between the best and the worst placement of eight SPEs."""


def placement_rows(functions: tuple[str, ...], counts: tuple[int, ...]) -> Iterator[Experiment]:
    """Measure gets and puts between SPEs of the first chip. Each SPE moves 32 MB."""
    for function in functions:
        for spes in counts:
            for transfer, sizes in TRANSFERS.items():
                for size in sizes:
                    yield from over_placements(
                        MACHINE,
                        function,
                        spes=spes,
                        size=size,
                        list_elements=LIST_BYTES // size if transfer == "lists" else None,
                        cells="0",
                        transfer=transfer,
                    )


def mean_charts(
    function: str, published: Mapping[str, Mapping[int, float]], rows: Rows
) -> Iterator[Chart]:
    """Draw single DMAs (a) and lists (b), with one line for each number of SPEs."""
    for letter, transfer, panel in _by_transfer(rows, function):
        chart = Chart(f"({letter}) {transfer.capitalize()}, mean and range of ten", *_AXES)
        for spes, line in panel.groups("spes"):
            _add_means(chart, f"{spes} SPEs", line)
        for spes, bandwidth in published[transfer].items():
            chart.published(f"{spes} SPEs: {bandwidth} GB/s", [LIST_BYTES], [bandwidth])
        yield chart


def spread_charts(
    function: str,
    means: Mapping[str, Mapping[int, float]],
    ranges: Mapping[str, tuple[int, ...]],
    rows: Rows,
) -> Iterator[Chart]:
    """Draw the range over placements for single DMAs (a) and lists (b) of eight SPEs, with the
    published means and differences between the best and the worst placement (`ranges`).
    """
    for letter, transfer, panel in _by_transfer(rows, function):
        chart = Chart(f"({letter}) {transfer.capitalize()}, ten placements", *_AXES)
        sizes = panel.column("size_bytes")
        for label, name in (("max", "_max"), ("mean", ""), ("median", "_median"), ("min", "_min")):
            chart.line(label, sizes, panel.column(f"bandwidth_gb_s{name}"), joined=False)
        mean, least = means[transfer][8], panel.column("bandwidth_gb_s_min")[-1]
        chart.published(f"mean: {mean} GB/s", sizes[-1:], [mean])
        words = " to ".join(map(str, ranges[transfer]))
        for above in ranges[transfer]:
            chart.published(f"max: {words} GB/s above the min", sizes[-1:], [least + above])
        yield chart


_AXES = Axis("DMA or list element (bytes)", log=2, ticks="bytes"), ALL_BANDWIDTH


def _by_transfer(rows: Rows, function: str) -> Iterator[tuple[str, str, Rows]]:
    panels = rows.where(function=function).groups("transfer")
    return ((letter, *panel) for letter, panel in zip("ab", panels, strict=True))


# Figures 9, 13 and 16 over all placements, in addition to the paper's ten

SETTLED = {"hotspot": 128, "couples": 32, "cycle": 256}
"""Number of iterations after which mean bandwidth is within 2 % of the mean for 32 MB."""


def all_memory_rows() -> Iterator[Experiment]:
    """Measure 16 KB DMAs with memory, over all placements on the first chip."""
    yield from over_placements(
        MACHINE,
        "hotspot",
        "all",
        op=["get", "put", "copy"],
        spes=[1, 2, 4, 8],
        size=LIST_BYTES,
        cells="0",
        memory="interleave",
        iterations=SETTLED["hotspot"],
    )


def all_couples_rows() -> Iterator[Experiment]:
    """Measure single 16 KB DMAs and lists of 1 KB elements over all placements on one chip."""
    given: dict[str, Any] = {"cells": "0", "iterations": SETTLED["couples"], "spes": [2, 4, 8]}
    single = over_placements(
        MACHINE, "couples", "all", size=LIST_BYTES, transfer="elements", **given
    )
    lists = over_placements(
        MACHINE,
        "couples",
        "all",
        size=1024,
        list_elements=LIST_BYTES // 1024,
        transfer="lists",
        **given,
    )
    yield from (*single, *lists)


def many_cycles_rows() -> Iterator[Experiment]:
    """Measure single 16 KB DMAs in rings of SPEs, over a hundred random placements.

    Bandwidth in rings settles so late that measuring all placements would take too long.
    """
    yield from over_placements(
        MACHINE,
        "cycle",
        100,
        spes=[2, 4, 8],
        size=LIST_BYTES,
        cells="0",
        transfer="elements",
        iterations=SETTLED["cycle"],
    )


# The text


def text_rows() -> Iterator[Experiment]:
    """Measure the local store (Section 4.2.2), instruction loops, and numbers in the text."""
    yield from measured(MACHINE, ACCESSES, level="ls", size=ELEMENTS)
    for kind, instructions in (("single", 128), ("double", 128), ("commands", 32), ("loads", 32)):
        unrolled = [] if instructions == 128 else [f"{kind}_unrolled"]
        yield from programmed(MACHINE, "loop", kind=[kind, *unrolled], instructions=instructions)
    # Memory traffic: small DMAs, few or many DMAs between waits, and one memory instead of both.
    small = [16, 32, 64, 128]
    for op in ("get", "put"):
        for size in small:
            yield from _with_memory(op, size)
        for size in (1024, 4096):
            yield from _with_memory(op, size, batch=[1, 0])
        yield from _with_memory(op, 16384, spes=4, memory="0")
    # Traffic between two local stores, on the same chip and on two chips.
    yield from measured(MACHINE, "couples", size=small, placement="0,1")
    yield from measured(MACHINE, "couples", op=["get", "put"], placement=["0,1", "0,8"])


def _with_memory(op: str, size: int, **other: Any) -> Iterator[Experiment]:
    return measured(
        MACHINE,
        "hotspot",
        op=op,
        size=size,
        cells="0",
        **{"spes": 1, "memory": "interleave", **other},
    )


def text_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the bandwidth between an SPU and its local store (Section 4.2.2)."""
    for chart in access_charts(rows, "ls", "Local store").values():
        yield chart.published("16 bytes: 33.6 GB/s", [16], [33.6])


FIGURES = (
    Figure(
        "figure3",
        "Figure 3: the PPE's loads, stores and copies in its L1 cache",
        partial(ppe_rows, "l1"),
        figure3_charts,
    ),
    Figure(
        "figure4",
        "Figure 4: the PPE's loads, stores and copies in its L2 cache",
        partial(ppe_rows, "l2", "l1"),
        partial(level_charts, "l2", "L2"),
    ),
    Figure(
        "figure5",
        "Figure 5: what moves between the L1 and the L2, one element of each line being used",
        partial(ppe_rows, "l1l2", "l2"),
        partial(level_charts, "l1l2", "L1 and L2"),
    ),
    Figure(
        "figure7",
        "Figure 7: the PPE's loads, stores and copies in main memory",
        partial(ppe_rows, "memory", "l2"),
        figure7_charts,
    ),
    Figure(
        "figure9",
        "Figure 9: SPEs and main memory, by the size of a DMA, over ten random placements",
        figure9_rows,
        figure9_charts,
    ),
    Figure("figure11", "Figure 11: when one of two SPEs waits", figure11_rows, figure11_charts),
    Figure(
        "figure13",
        "Figure 13: couples of SPEs, one of each getting from and putting to the other",
        partial(placement_rows, ("couples",), (2, 4, 8)),
        partial(mean_charts, "couples", COUPLES_GB_S),
    ),
    Figure(
        "figure14",
        "Figure 14: what placement does to four couples of SPEs",
        partial(placement_rows, ("couples",), (8,)),
        partial(spread_charts, "couples", COUPLES_GB_S, COUPLES_RANGES_GB_S),
    ),
    Figure(
        "figure16",
        "Figure 16: cycles of SPEs, each getting from and putting to the next",
        partial(placement_rows, ("cycle", "couples"), (2, 4, 8)),
        partial(mean_charts, "cycle", CYCLES_GB_S),
    ),
    Figure(
        "figure17",
        "Figure 17: what placement does to cycles of eight SPEs",
        partial(placement_rows, ("cycle", "couples"), (8,)),
        partial(spread_charts, "cycle", CYCLES_GB_S, CYCLES_RANGES_GB_S),
    ),
    Figure("figure9-all", "Figure 9 over all placements, beside the paper's ten", all_memory_rows),
    Figure(
        "figure13-all", "Figure 13 over all placements, beside the paper's ten", all_couples_rows
    ),
    Figure(
        "figure16-all",
        "Figure 16 over a hundred placements, beside the paper's ten",
        many_cycles_rows,
    ),
    Figure(
        "text",
        "What the text says without a figure: local stores, small DMAs, waiting, the other chip",
        text_rows,
        text_charts,
    ),
)
