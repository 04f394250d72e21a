"""Abellán, Fernández, Acacio: CellStats, a Tool to Evaluate … the Cell BE. PDP, 2008."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from cellstats.core.parameters import NAMES
from cellstats.core.plain_flags import plain_flags, which_spes
from cellstats.reproduce import ABOUT, Axis, Chart, Experiment, Figure, Rows, measured

DMA_SIZE = Axis("DMA size (bytes)", log=2, ticks="bytes")
LATENCY = Axis("Latency (ns)", least=0)
BANDWIDTH = Axis("Bandwidth (GB/s)", least=0)


def spe_label(spes: int) -> str:
    """Legend text for a number of SPEs."""
    return "1 SPE" if spes == 1 else f"{spes} SPEs"


# The commands printed in Section 3.2

_PRINTED = Path(__file__).parent / "abellan2008ps3" / "commands.txt"
COMMANDS = tuple(_PRINTED.read_text(encoding="utf-8").splitlines())
"""The commands in the form in which the paper prints them."""
BY_REGISTER = tuple(f"{COMMANDS[nth]} --ppe mmio" for nth in (1, 4))
"""Commands that the paper also measures with direct register writes.

`--ppe mmio` is CellStats' flag for direct register writes.
"""
DRAWN = {
    "mailbox, SPEs": (COMMANDS[2], 160),
    "signal, SPEs": (COMMANDS[3], 160),
    "fetchadd, private": (COMMANDS[5], 135),
    "mailbox, registers": (BY_REGISTER[0], 362),
    "signal, registers": (BY_REGISTER[1], 290),
}
"""Commands that take less than a microsecond, with the paper's nanoseconds. `claims.toml` lists the
other commands."""


def listings_rows() -> Iterator[Experiment]:
    """Measure all commands, parsed in the same way as on the command line."""
    return map(_experiment_of, (*COMMANDS, *BY_REGISTER))


def _experiment_of(command: str) -> Experiment:
    flags = plain_flags(shlex.split(command)[1:])
    assert flags is not None, command
    given = flags | which_spes(flags["spes"], flags.pop("private_spes"))
    # A flag that is false or absent from the command has no column.
    parameters = {name: given[name] for name in NAMES if given.get(name)}
    labels = (("command", command),)
    machine, function = flags["machine"], flags["function"]
    return Experiment("measurement", machine, function, tuple(parameters.items()), labels)


def listings_charts(rows: Rows) -> Iterator[Chart]:
    """Draw published and simulated latencies in nanoseconds."""
    chart = Chart("As printed", Axis(""), LATENCY, names=list(DRAWN))
    simulated = [rows.where(command=command)[0]["latency_ns"] for command, _ in DRAWN.values()]
    chart.bar("simulated", simulated)
    for bar, (_, published) in enumerate(DRAWN.values()):
        chart.published("as printed", [bar], [published])
    yield chart


# Figure 2: DMA


def figure2_rows() -> Iterator[Experiment]:
    """Puts and gets."""
    for function in ("dmaput", "dmaget"):
        for private in (False, True):
            for size in [2**power for power in range(4, 15)]:
                yield from measured(
                    "ps3",
                    function,
                    private=private,
                    spes=range(1, 7),
                    size=size,
                    iterations=_iterations(size, private),
                )


def figure2_charts(rows: Rows) -> Iterator[Chart]:
    """Latency above, bandwidth below."""
    for (function, private), lines in rows.groups("function", "private"):
        chart = Chart(_dma_title(function, private), DMA_SIZE, Axis("Latency (ns)", log=10))
        for spes, line in lines.groups("spes"):
            chart.line(spe_label(spes), line.column("size_bytes"), line.column("latency_ns"))
        yield chart
    for (function, private), lines in rows.groups("function", "private"):
        chart = Chart(_dma_title(function, private), DMA_SIZE, BANDWIDTH)
        for spes, line in lines.groups("spes"):
            chart.line(spe_label(spes), line.column("size_bytes"), line.column("bandwidth_gb_s"))
        chart.published("peak: 25.6 GB/s", [16, 16384], [25.6, 25.6])
        yield chart


def _dma_title(function: str, private: bool) -> str:
    return f"{function.removeprefix('dma').upper()}, {'private' if private else 'shared'} memory"


def _iterations(size: int, private: bool) -> int:
    """Number of iterations until a measurement settles: thousands if SPEs contend for lines."""
    if size <= 1024:
        return 1_000 if private else 5_000
    return 500 if size <= 4096 else 200


# Figure 3: atomic operations


def figure3_rows() -> Iterator[Experiment]:
    """Measure atomic operations of 1 to 6 SPEs. Separate variables are 128 bytes apart."""
    yield from measured("ps3", "fetchadd", spes=range(1, 7), iterations=5_000)
    yield from measured(
        "ps3", "fetchadd", private=True, stride=128, spes=range(1, 7), iterations=5_000
    )


def figure3_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the latencies of shared and of separate variables on one panel, as in the paper."""
    chart = Chart("fetchadd", Axis("SPEs", ticks="all"), LATENCY)
    for private, line in rows.groups("private"):
        label = "separate variables" if private else "a shared variable"
        chart.line(label, line.column("spes"), line.column("latency_ns"))
    chart.published("separate: 135 ns", [1, 6], [135, 135], margin=ABOUT)
    chart.published("shared: 150 ns for each SPE", [1, 6], [150, 900], margin=ABOUT)
    chart.published("1 µs for 6 SPEs", [6], [1000])
    yield chart


# Figure 4: lists

LIST_BYTES = 2048


def figure4_rows() -> Iterator[Experiment]:
    """Measure put and get lists, and the single DMAs with which the paper compares lists."""
    for elements in [1, 2, 4, 8, 16, 32, 64, 128]:
        yield from measured(
            "ps3",
            ["dmalistput", "dmalistget"],
            spes=range(1, 7),
            list_elements=elements,
            size=LIST_BYTES // elements,
            iterations=200,
        )
    yield from measured("ps3", ["dmaput", "dmaget"], spes=6, size="16k", iterations=200)


def figure4_charts(rows: Rows) -> Iterator[Chart]:
    """Draw latency (a, b) and bandwidth (c, d) of put and get lists."""
    elements = Axis("Elements of 2 KB", log=2, ticks="all")
    lists = [each for each in rows.groups("function") if "list" in each[0]]
    for letter, (function, lines) in zip("ab", lists, strict=True):
        chart = Chart(_list_title(letter, function), elements, LATENCY)
        for spes, line in lines.groups("spes"):
            chart.line(spe_label(spes), line.column("list_elements"), line.column("latency_ns"))
        yield chart
    for letter, (function, lines) in zip("cd", lists, strict=True):
        chart = Chart(_list_title(letter, function), elements, BANDWIDTH)
        for spes, line in lines.groups("spes"):
            counts = line.column("list_elements")
            chart.line(spe_label(spes), counts, line.column("bandwidth_gb_s"))
        chart.published("half of single DMAs", [1, 32], [12.8, 12.8])
        yield chart


def _list_title(letter: str, function: str) -> str:
    return f"({letter}) Lists of {function.removeprefix('dmalist')}s"


# The text

ATOMICS = ["fetchadd", "fetchsub", "fetchinc", "fetchdec", "fetchset"]
PAIR_SIZES = [128, 256, 512, 1024, 2048, 4096, 8192, 16384]


def text_rows() -> Iterator[Experiment]:
    """Measure the atomic operations of 1 and 6 SPEs, and a pair of SPEs with 16 DMAs in flight."""
    for spes, private in ((1, False), (6, True), (6, False)):
        yield from measured("ps3", ATOMICS, spes=spes, private=private, iterations=1_000)
    # Variables are 2 KB apart, or 4 bytes apart and so in the same lock line.
    for stride in (2048, 4):
        yield from measured(
            "ps3",
            "fetchadd",
            private=True,
            spes=[2, 6],
            stride=stride,
            iterations=1_000,
            what="stride",
        )
    yield from measured(
        "ps3",
        ["dmaput", "dmaget"],
        spes=2,
        spe_to_spe=True,
        batch=16,
        size=PAIR_SIZES,
        iterations=320,
    )


def text_charts(rows: Rows) -> Iterator[Chart]:
    """The pair of SPEs."""
    chart = Chart("Two local stores, 16 DMAs at a time", DMA_SIZE, BANDWIDTH)
    for function, line in rows.where(spe_to_spe=True).groups("function"):
        label = function.removeprefix("dma")
        chart.line(label, line.column("size_bytes"), line.column("bandwidth_gb_s"))
    chart.published("the limit: 25.6 GB/s", [128, 16384], [25.6, 25.6])
    yield chart


FIGURES = (
    Figure(
        "listings",
        "Section 3.2: what the printed commands print",
        listings_rows,
        listings_charts,
    ),
    Figure(
        "figure2",
        "Figure 2: DMA with shared and with private memory, by size and number of SPEs",
        figure2_rows,
        figure2_charts,
    ),
    Figure(
        "figure3",
        "Figure 3: fetchadd on shared and separate variables",
        figure3_rows,
        figure3_charts,
    ),
    Figure(
        "figure4",
        "Figure 4: lists that move 2 KB of a shared buffer, by the number of their elements",
        figure4_rows,
        figure4_charts,
    ),
    Figure(
        "text",
        "What the text says without a figure: other atomics, two local stores, other strides",
        text_rows,
        text_charts,
    ),
)
