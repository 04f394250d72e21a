"""Figure 3 with all buffers in the memory of Cell 1: just the opposite, the text says."""

from collections.abc import Iterator

from cellstats.papers.abellan2008blade import figure3
from cellstats.reproduce import Answers, Ask, Chart

SPES = [1, 8, 16]
SIZES = [128, 256, 512, 1024, 2048, 4096, 16384]


def rows() -> Iterator[Ask]:
    """The same, of fewer SPEs and sizes."""
    return figure3.gets("1", SPES, SIZES)


def draw(rows: Answers) -> Iterator[Chart]:
    """The same panels; now Cell 1 is beside the memory."""
    return figure3.panels(rows, "1")
