"""Figure 2: DMA with shared and with private memory, by size and number of SPEs."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

SIZES = [2**power for power in range(4, 15)]


def rows() -> Iterator[Ask]:
    """Puts and gets."""
    for function in ("dmaput", "dmaget"):
        for private in (False, True):
            for size in SIZES:
                yield from measured(
                    "ps3",
                    function,
                    private=private,
                    spes=range(1, 7),
                    size=size,
                    iterations=_iterations(size, private),
                )


def draw(rows: Answers) -> Iterator[Chart]:
    """Latency above, bandwidth below."""
    size = Axis("DMA size (bytes)", log=2, ticks="bytes")
    for (function, private), lines in rows.groups("function", "private"):
        chart = Chart(_title(function, private), size, Axis("Latency (ns)", log=10))
        for spes, line in lines.groups("spes"):
            chart.line(spe_label(spes), line.column("size_bytes"), line.column("latency_ns"))
        yield chart
    for (function, private), lines in rows.groups("function", "private"):
        chart = Chart(_title(function, private), size, Axis("Bandwidth (GB/s)", least=0))
        for spes, line in lines.groups("spes"):
            chart.line(spe_label(spes), line.column("size_bytes"), line.column("bandwidth_gb_s"))
        chart.published("peak: 25.6 GB/s", [16, 16384], [25.6, 25.6])
        yield chart


def spe_label(spes: int) -> str:
    """A number of SPEs, as legends have it."""
    return "1 SPE" if spes == 1 else f"{spes} SPEs"


def _title(function: str, private: bool) -> str:
    return f"{function.removeprefix('dma').upper()}, {'private' if private else 'shared'} memory"


def _iterations(size: int, private: bool) -> int:
    """SPEs that meet at shared lines take thousands of turns to settle; others repeat at once."""
    if size <= 1024:
        return 1_000 if private else 5_000
    return 500 if size <= 4096 else 200
