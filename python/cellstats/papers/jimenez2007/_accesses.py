"""Loads, stores and copies, by the size of an element: Figures 3, 4, 5 and 7."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

FUNCTIONS = ("load", "store", "copy")
SIZES = (1, 2, 4, 8, 16)
MEMORY_BYTES = 4 << 20
"""What is moved from and to memory. The 128 MB of the paper change less than a per cent."""


def of_ppe(level: str) -> Iterator[Ask]:
    """One thread of the PPE, and two."""
    for function in FUNCTIONS:
        for threads in (1, 2):
            for size in SIZES:
                moved = threads * size * (2 if function == "copy" else 1)
                yield from measured(
                    "blade-2100",
                    function,
                    level=level,
                    threads=threads,
                    size=size,
                    iterations=MEMORY_BYTES // moved if level == "memory" else None,
                )


def of_spu() -> Iterator[Ask]:
    """An SPU and its local store."""
    return measured("blade-2100", FUNCTIONS, level="ls", size=SIZES)


def charts(rows: Answers, level: str, name: str) -> dict[str, Chart]:
    """A panel for each function, with a line for each number of threads."""
    found = {}
    size = Axis("Element (bytes)", log=2, ticks="bytes")
    panels = rows.where(level=level).groups("function")
    for letter, (function, panel) in zip("abc", panels, strict=True):
        chart = Chart(f"({letter}) {name}, {function}", size, Axis("Bandwidth (GB/s)", least=0))
        for threads, line in panel.groups("threads"):
            label = f"{threads} thread{'s' if threads > 1 else ''}" if threads else "an SPU"
            chart.line(label, line.column("size_bytes"), line.column("bandwidth_gb_s"))
        found[function] = chart
    return found
