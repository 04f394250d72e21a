"""Section 3.5: a lock line that two SPEs change in turn."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Chart, programmed


def rows() -> Iterator[Ask]:
    """SPEs 0 and 1, some hundred turns; every one takes the same time."""
    yield from programmed("ps3", "bounce", rounds=300)


def draw(_rows: Answers) -> Iterator[Chart]:
    """One number needs no picture."""
    yield from ()
