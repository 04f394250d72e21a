"""CorePy, a generator of SPU code, with the time of a loop on a PlayStation 3 with Linux."""

from collections.abc import Iterator

from cellstats.reproduce import Experiment, Figure, programmed


def loop_rows() -> Iterator[Experiment]:
    """Measure the loop on one SPE, because six SPEs do not disturb each other."""
    yield from programmed("ps3", "timed", executable="spe_kernels", loop="multiply-adds")


FIGURES = (Figure("loop", "A loop of multiply-adds", loop_rows),)
