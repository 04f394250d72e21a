"""Sudheer, Nagaraju, Baruah, Srinivasan: a communication model for thread-SPE affinity. 2009.

The paper measures MPI messages between local stores. CellStats measures the DMAs that carry the
messages. A 64 KB message consists of four 16 KB DMAs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from statistics import fmean
from typing import Any

from cellstats.affinities import affinity
from cellstats.measure.machine import Machine
from cellstats.patterns import MEMORY, Pattern, Phase, Transfer
from cellstats.patterns import pattern as find_pattern
from cellstats.placement.principles import equally_good
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

NAMED = ("identity", "evenodd", "ring", "overlap", "leap2")
"""Names of the affinities in the paper."""
KB64 = 65536
ITERATIONS = 4
DEFAULTS = 100
"""Number of random placements."""
BANDWIDTH = Axis("Bandwidth, all SPEs (GB/s)", least=0)


MODEL_PLACEMENTS_MAX = 300
"""Number of placements of the paper's model that are measured, evenly spaced in their order."""


def placement_of(name: str) -> str:
    """The SPEs of a named affinity, in the format of `--placement`."""
    return _listed(affinity(Machine.find("qs20"), name, 8, cells="0"))


@cache
def placements_of_model(pattern: str) -> list[str]:
    """The placements that are best by the paper's model, which does not say which of them it took.
    The paper's model has one phase.
    """
    found = find_pattern(pattern, 8, KB64)
    one_phase = replace(found, phases=found.phases[:1])
    return [*map(_listed, equally_good(Machine.find("qs20").native, one_phase, range(8)))]


def _listed(spes: Sequence[int]) -> str:
    return ",".join(map(str, spes))


# Figures 2 and 3: a pattern of eight threads on one Cell of the blade


def pattern_rows(pattern: str) -> Iterator[Experiment]:
    """Measure a pattern with every affinity and with random placements, for several message
    sizes, and with the placements of the paper's model for the longest messages.
    """
    sizes = ["1k", "4k", "16k", "64k"]
    common: dict[str, Any] = {"pattern": pattern, "iterations": ITERATIONS}
    for name in NAMED:
        placement = placement_of(name)
        yield from measured(
            "qs20", "exchange", size=sizes, placement=placement, affinity=name, **common
        )
    every = placements_of_model(pattern)
    some = every[:: -(-len(every) // MODEL_PLACEMENTS_MAX)]
    yield from measured("qs20", "exchange", size="64k", placement=some, affinity="model", **common)
    yield from over_placements(
        "qs20", "exchange", DEFAULTS, size="64k", spes=8, cells="0", affinity="default", **common
    )
    few = {"size": sizes[:-1], "spes": 8, "cells": "0"}
    yield from over_placements("qs20", "exchange", 20, affinity="default", **few, **common)


def pattern_charts(rows: Rows) -> Iterator[Chart]:
    """Draw bandwidth by message size, and the gain of each affinity for the longest messages."""
    size = Axis("Message (bytes)", log=2, ticks="bytes")
    lines = Chart("By the length of a message", size, BANDWIDTH)
    for name, of in rows.groups("affinity"):
        if name == "model":
            continue
        ordered = sorted(of, key=lambda row: row["size_bytes"])
        x = [row["size_bytes"] for row in ordered]
        ends = Rows(ordered).ends("bandwidth_gb_s") if name == "default" else ()
        lines.line(name, x, [row["bandwidth_gb_s"] for row in ordered], ends=ends)
    yield lines

    longest = rows.where(size_bytes=KB64)
    [default] = longest.where(affinity="default")
    names = [*NAMED, "model", "default"]
    bars = Chart("Messages of 64 KB", Axis(""), BANDWIDTH, names=names)
    groups = [longest.where(affinity=name) for name in names]
    means = [fmean(of.column("bandwidth_gb_s")) for of in groups]
    bars.bar(
        "bandwidth; mean and range of several placements", means, ends=[_ends(of) for of in groups]
    )
    twice, last = 2 * default["bandwidth_gb_s"], len(names) - 1
    bars.published("good: close to twice the default", [0, last], [twice, twice])
    yield bars


def _ends(rows: Rows) -> tuple[float, float]:
    """The lowest and the highest bandwidth of all runs behind these rows."""
    lows, highs = zip(*rows.ends("bandwidth_gb_s"), strict=True)
    return min(lows), max(highs)


# Figures 4 and 5: a Monte Carlo application.
# The paper gives the largest ratio between the times of two affinities, but no absolute times.


def monte_carlo_rows() -> Iterator[Experiment]:
    """Measure the application with each affinity, on one Cell of the blade."""
    of_model = placements_of_model("nearest-neighbour")
    middle = of_model[len(of_model) // 2]
    for name, placement in [*((name, placement_of(name)) for name in NAMED), ("model", middle)]:
        yield from programmed("qs20", "montecarlo", placement=placement, affinity=name)


def figure4_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the communication time of all steps. The published line is at twice the shortest
    time.
    """
    yield _times(rows, "communication_ns", "Communication (µs)", "worst twice the best", 2)


def figure5_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the time from the first to the last step. The published line is 10 % above the shortest
    time.
    """
    yield _times(rows, "total_ns", "Total (µs)", "worst 10 % above the best, or more", 1.1)


def _times(rows: Rows, column: str, label: str, published: str, times: float) -> Chart:
    """Draw a bar for each affinity, and a published line at `times` the shortest bar."""
    chart = Chart(label, Axis(""), Axis(label, least=0), names=rows.column("affinity"))
    micro = [value / 1000 for value in rows.column(column)]
    chart.bar("simulated", micro)
    chart.published(published, [0, len(micro) - 1], [times * min(micro)] * 2)
    return chart


# The text

IDENTITY = "0,1,2,3,4,5,6,7"
WITHIN, ACROSS = "0,1", "0,8"
PAIRS = ",".join(f"{spe},{spe + 8}" for spe in range(8))
"""Eight pairs of SPEs. The two SPEs of each pair are on different Cells."""
RING = (0, 2, 4, 6, 7, 5, 3, 1)
"""The SPEs of a Cell in ring order."""

# Three clockwise messages that do not overlap.
# In AT_THE_ENDS, the message from SPE 0 passes the memory controller and the PPE.
# The message from SPE 7 passes the I/O interfaces.
AT_THE_ENDS = ((0, 3), (7, 6), (4, 2))
ELSEWHERE = ((1, 5), (5, 7), (6, 2))


def text_rows() -> Iterator[Experiment]:
    """Measure the rows for all comparisons in the paper's text. The column `what` contains the
    comparison's name.
    """
    yield from _pairs()
    yield from _cells()
    yield from _messages()
    yield from _rotations()
    yield from over_placements(
        "qs20",
        "exchange",
        DEFAULTS,
        pattern="binomial-tree",
        size="64k",
        spes=8,
        cells="0",
        iterations=ITERATIONS,
        what="binomial tree",
    )
    yield from _blade()


def _pairs() -> Iterator[Experiment]:
    """Measure short and long messages between every pair of SPEs of a Cell, and between an SPE and
    memory.
    """
    pairs = [f"{a},{b}" for a in range(8) for b in range(8) if a != b]
    common = {"spe_to_spe": True, "placement": pairs, "what": "pair"}
    yield from measured("qs20", "dmaput", size=128, iterations=200, **common)
    yield from measured("qs20", "dmaput", size="16k", batch=0, iterations=100, **common)
    yield from measured(
        "qs20", "dmaget", size="16k", batch=0, iterations=200, placement="0", what="memory"
    )


def _cells() -> Iterator[Experiment]:
    """Measure messages between the Cells, which consist of one or four DMAs, from and to Cell 0."""
    for what, placement in (("across", ACROSS), ("within", WITHIN), ("eight pairs", PAIRS)):
        yield from measured(
            "qs20",
            "couples",
            op=["put", "get"],
            placement=placement,
            batch=[1, 4],
            iterations=64,
            what=what,
        )


def _messages() -> Iterator[Experiment]:
    """Measure small sets of messages: one alone, several together, of equal and unequal length, and
    with memory.
    """
    cases: dict[str, list[tuple[int, int, int]]] = {
        "one": [(*AT_THE_ENDS[0], KB64)],
        "three": [(*pair, KB64) for pair in AT_THE_ENDS],
        "three elsewhere": [(*pair, KB64) for pair in ELSEWHERE],
        "unequal": [(*pair, KB64 >> nth) for nth, pair in enumerate(AT_THE_ENDS)],
        # Each SPE sends to the SPE on the opposite side of the ring.
        "half way": [(spe, 7 - spe, KB64) for spe in range(8)],
        "one half way": [(0, 7, KB64)],
        "a ring": [(spe, (spe + 1) % 8, KB64) for spe in range(8)],
    }
    for what, messages in cases.items():
        yield from _exchange(what, [Transfer(*message) for message in messages])
    threads = [Transfer(*message) for message in cases["a ring"]]
    # `get` commands from memory, which complete before the messages.
    memory = [Transfer(MEMORY, spe, KB64 // 16) for spe in range(8)]
    yield from _exchange("a ring, and memory", [*threads, *memory])


def _exchange(name: str, transfers: Sequence[Transfer]) -> Iterator[Experiment]:
    """Measure transfers on one Cell that all start together. Thread i is on SPE i."""
    pattern = Pattern(name, 8, (Phase(tuple(transfers)),))
    yield from measured(
        "qs20", "exchange", pattern=pattern, placement=IDENTITY, iterations=4, what=name
    )


def _rotations() -> Iterator[Experiment]:
    """Measure the ring pattern with all threads rotated along the ring."""
    identity = [RING.index(spe) for spe in range(8)]
    for moved in range(8):
        placement = ",".join(str(RING[(slot + moved) % 8]) for slot in identity)
        yield from measured(
            "qs20",
            "exchange",
            pattern="ring",
            size="64k",
            placement=placement,
            iterations=4,
            what="rotated",
        )


def _blade() -> Iterator[Experiment]:
    """Measure the ring pattern of sixteen threads, which are split in halves or alternate between
    the Cells.
    """
    for order in NAMED:
        spes = [int(spe) for spe in placement_of(order).split(",")]
        halves = [*spes, *(8 + spe for spe in spes)]
        alternate = [spes[nth // 2] + 8 * (nth % 2) for nth in range(16)]
        for what, placed in (("halves", halves), ("alternate", alternate)):
            yield from measured(
                "qs20",
                "exchange",
                pattern="ring",
                size="64k",
                placement=",".join(map(str, placed)),
                iterations=2,
                what=what,
                order=order,
            )


def text_charts(rows: Rows) -> Iterator[Chart]:
    """Draw messages between the Cells, and the gains of partition and order."""
    axis = Axis("Bandwidth (GB/s)", least=0)
    names = ["within", "across", "eight pairs"]
    cells = Chart("Messages of 64 KB within and across", Axis(""), axis, names=names)
    for op, direction in (("put", "from Cell 0"), ("get", "to Cell 0")):
        of = [rows.where(what=name, op=op, batch=4)[0]["bandwidth_gb_s"] for name in names]
        cells.bar(direction, of)
    cells.published("limits: 30 and 20 GB/s", [1, 2], [30, 30])
    cells.published("limits: 30 and 20 GB/s", [1, 2], [20, 20])
    yield cells

    orders = [row["order"] for row in rows.where(what="halves")]
    blade = Chart("Sixteen threads in a ring, 64 KB", Axis(""), axis, names=orders)
    for what in ("halves", "alternate"):
        blade.bar(what, rows.where(what=what).column("bandwidth_gb_s"))
    yield blade

    rotated = rows.where(what="rotated").column("bandwidth_gb_s")
    turns = Chart("A ring, all threads moved on", Axis("SPEs moved on", ticks="all"), axis)
    yield turns.line("ring pattern, 64 KB", range(8), rotated)


FIGURES = (
    Figure(
        "figure2",
        "Figure 2: the ring pattern under different affinities",
        partial(pattern_rows, "ring"),
        pattern_charts,
    ),
    Figure(
        "figure3",
        "Figure 3: the first phase of recursive doubling under different affinities",
        partial(pattern_rows, "recursive-doubling-1"),
        pattern_charts,
    ),
    Figure(
        "figure4",
        "Figure 4: communication time of a Monte Carlo application, by the affinity of its threads",
        monte_carlo_rows,
        figure4_charts,
    ),
    Figure(
        "figure5",
        "Figure 5: total time of a Monte Carlo application",
        monte_carlo_rows,
        figure5_charts,
    ),
    Figure(
        "text",
        "Sections 1 to 4: pairs of SPEs, the two Cells, and what the model misses",
        text_rows,
        text_charts,
    ),
)
