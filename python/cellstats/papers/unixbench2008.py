"""BYTE's UNIX benchmarks, run by a user of a PlayStation 3 with Linux in 2008."""

from collections.abc import Iterator

from cellstats.reproduce import Experiment, Figure, programmed


def arithmetic_rows() -> Iterator[Experiment]:
    """Measure laps of arithmetic, and what is around them."""
    laps = ["short", "int", "float", "double", "overhead"]
    yield from programmed("ps3", "timed", executable="unix_laps", loop=laps)


FIGURES = (
    Figure(
        "arithmetic",
        "Laps of arithmetic, and what is around them",
        arithmetic_rows,
    ),
)
