"""cellmark: a benchmark of a retail and a development PlayStation 3, measured in 2026."""

from collections.abc import Iterator

from cellstats.reproduce import Axis, Chart, Experiment, Figure, Rows, measured, programmed
from cellstats.reproduce.spe_programs import KERNELS

BANDWIDTH = Axis("Bandwidth, all SPEs (GB/s)", least=0)

# Sections 3.1 to 3.4: the bus

READERS_GB_S = [23.58, 23.78, 23.86, 23.76, 23.71]
"""Bandwidth of one to five SPEs that read from the local store of SPE 0."""
ALONG_THE_RING = (0, 2, 4, 5, 3, 1)
"""The console's six SPEs in their order along the ring, by their logical numbers."""


def eib_rows() -> Iterator[Experiment]:
    """Gets of 16 KB, with one wait at the end: the queue never empties, as with eight in flight.

    SPEs have the logical numbers of the console's own operating system. The column `step` is the
    number of positions, in the ring order of the six SPEs, from a reader to the SPE that it reads
    from.
    """
    yield from measured(
        "ps3", "pairwise", op="get", placement=_along_the_ring(6), iterations=512, what="pairs"
    )
    common = {"size": "16k", "spe_to_spe": True, "batch": 0, "iterations": 256}
    for readers in range(1, 6):
        yield from measured(
            "ps3",
            "dmaget",
            placement=_along_the_ring(readers + 1),
            what="readers",
            readers=readers,
            **common,
        )
    for reader in range(6):
        for step in range(1, 6):
            placement = f"{ALONG_THE_RING[(reader + step) % 6]},{ALONG_THE_RING[reader]}"
            yield from measured(
                "ps3", "dmaget", placement=placement, what="alone", step=step, **common
            )


def _along_the_ring(spes: int) -> str:
    """The first SPEs along the ring, in the form of `--placement`."""
    return ",".join(map(str, ALONG_THE_RING[:spes]))


def eib_charts(rows: Rows) -> Iterator[Chart]:
    """Bandwidth by the number of readers."""
    chart = Chart("Readers of one local store", Axis("SPEs", ticks="all"), BANDWIDTH)
    line = rows.where(what="readers")
    chart.line("without the harness", line.column("readers"), line.column("bandwidth_gb_s"))
    chart.published("measured", [1, 2, 3, 4, 5], READERS_GB_S)
    yield chart


# Sections 2.3 and 4.1: main memory

SIZES = [256, 512, 1024, 2048, 4096, 8192, 16384]


def memory_rows() -> Iterator[Experiment]:
    """Gets and puts of 16 KB with two and eight in flight for each SPE, and gets of every size."""
    yield from programmed(
        "ps3", "stream", spes=6, op=["get", "put"], size=16384, depth=[2, 8], what="depth"
    )
    yield from programmed("ps3", "stream", spes=6, op="get", size=SIZES, depth=8, what="size")


def memory_charts(rows: Rows) -> Iterator[Chart]:
    """Bandwidth by the size of a DMA, with eight in flight."""
    size = Axis("DMA size (bytes)", log=2, ticks="bytes")
    chart = Chart("Six SPEs and memory", size, BANDWIDTH)
    line = rows.where(what="size")
    chart.line(
        "gets, without the harness", line.column("size_bytes"), line.column("bandwidth_gb_s")
    )
    chart.published("gets: about 22.0 GB/s", [256, 16384], [22, 22])
    yield chart


# Section 3.5: a lock line


def atomic_rows() -> Iterator[Experiment]:
    """A few hundred turns of SPEs 0 and 1 at the lock line. Every turn takes the same time."""
    yield from programmed("ps3", "bounce", rounds=300)


# Programs that move no data


def kernel_rows() -> Iterator[Experiment]:
    """Six loops whose operations are counted by the PPE's clock, and two by the SPU's own."""
    yield from programmed("ps3", "kernel", kind=list(KERNELS))


FIGURES = (
    Figure(
        "eib",
        "Sections 3.1 to 3.4: gets between local stores, in pairs, from one, and of every SPE "
        "alone",
        eib_rows,
        eib_charts,
    ),
    Figure(
        "memory",
        "Sections 2.3 and 4.1: six SPEs stream from and to memory, by DMAs under way and by their "
        "size",
        memory_rows,
        memory_charts,
    ),
    Figure(
        "atomic",
        "Section 3.5: a lock line that two SPEs change in turn",
        atomic_rows,
    ),
    Figure(
        "kernels",
        "SPU tuning, Section 6, and Section 2.2: loops that move no data",
        kernel_rows,
    ),
)
