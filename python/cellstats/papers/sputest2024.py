"""SpuTest, a test for emulators, with its times on a PlayStation 3."""

from collections.abc import Iterator

from cellstats.reproduce import Experiment, Figure, programmed


def contended_rows() -> Iterator[Experiment]:
    """Measure loops in which six SPEs and the PPE compete for a line, or for memory."""
    locks = ["increment 400", "increment 400 2", "chain 200", "putllc 400", "putlluc 500"]
    puts = ["put 1000", "shared-put 1000", "large-put 200", "shared-large-put 200"]
    yield from programmed("ps3", "timed", executable="contended", loop=locks + puts)


def instruction_rows() -> Iterator[Experiment]:
    """Measure loops of instructions on one SPE, because six SPEs do not disturb each other."""
    loops = ["estimate-chain", "integers", "floats"]
    yield from programmed("ps3", "timed", executable="spe_kernels", loop=loops)


FIGURES = (
    Figure(
        "contended",
        "Loops in which six SPEs and the PPE compete for a line, or for memory",
        contended_rows,
    ),
    Figure("instructions", "Loops of instructions on an SPE", instruction_rows),
)
