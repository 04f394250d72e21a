"""Figure 3: gets from the memory of Cell 0, by SPEs of either Cell first."""

from collections.abc import Iterator, Sequence

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

SPES = [1, 2, 4, 8, 16]
SIZES = [1, 16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]
OWN, OTHER = 24.6, 13.6
"""GB/s that eight SPEs have of the memory beside them, and of the other Cell's."""


def rows() -> Iterator[Ask]:
    """Shared and private buffers, SPEs of Cell 0 first and of Cell 1 first."""
    return gets("0", SPES, SIZES)


def draw(rows: Answers) -> Iterator[Chart]:
    """Latency (a to d) above, bandwidth (e to h) below, as in the paper."""
    return panels(rows, "0")


def gets(memory: str, spes: Sequence[int], sizes: Sequence[int]) -> Iterator[Ask]:
    """Gets from one memory; the column `first` has the Cell whose SPEs are used first."""
    for private in (False, True):
        for first, cells in (("0", "01"), ("1", "10")):
            for count in spes:
                for size in sizes:
                    yield from measured(
                        "qs20",
                        "dmaget",
                        memory=memory,
                        private=private,
                        # All sixteen are the same, whoever comes first.
                        cells=cells if count < 16 else "01",
                        spes=count,
                        size=size,
                        iterations=iterations(size, private),
                        first=first,
                    )


def iterations(size: int, private: bool) -> int:
    """SPEs that meet at shared lines take thousands of turns to settle; others repeat at once."""
    if size <= 128 and not private:
        return 5_000
    return 500 if size <= 4096 else 200


def panels(rows: Answers, memory: str) -> Iterator[Chart]:
    """Panels (a) to (h)."""
    size = Axis("DMA size (bytes)", log=2, ticks="bytes")
    for letter, ((private, first), lines) in _lettered("abcd", rows):
        chart = Chart(_title(letter, private, first), size, Axis("Latency (ns)", log=10))
        for spes, line in lines.groups("spes"):
            chart.line(spe_label(spes), line.column("size_bytes"), line.column("latency_ns"))
        if private:
            chart.published("300 ns", [1, 128], [300, 300])
        yield chart
    for letter, ((private, first), lines) in _lettered("efgh", rows):
        chart = Chart(_title(letter, private, first), size, Axis("Bandwidth (GB/s)", least=0))
        for spes, line in lines.groups("spes"):
            chart.line(spe_label(spes), line.column("size_bytes"), line.column("bandwidth_gb_s"))
        most = OWN if first == memory else OTHER
        chart.published(f"8 SPEs: {most} GB/s", [16384], [most])
        yield chart


def spe_label(spes: int) -> str:
    """A number of SPEs, as legends have it."""
    return "1 SPE" if spes == 1 else f"{spes} SPEs"


def _lettered(
    letters: str, rows: Answers
) -> Iterator[tuple[str, tuple[tuple[bool, str], Answers]]]:
    return zip(letters, rows.groups("private", "first"), strict=True)


def _title(letter: str, private: bool, first: str) -> str:
    return f"({letter}) Cell {first} first, {'private' if private else 'shared'}"
