"""cellmark, a benchmark that was run on a retail and a development PlayStation 3 in 2026."""

from collections.abc import Iterator

from cellstats.reproduce import ABOUT, Axis, Chart, Experiment, Figure, Rows, measured, programmed
from cellstats.reproduce.spe_programs import KERNELS

BANDWIDTH = Axis("Bandwidth, all SPEs (GB/s)", least=0)

# Sections 3.1 to 3.4: the bus

READERS_GB_S = [23.58, 23.78, 23.86, 23.76, 23.71]
"""Total bandwidth of one to five SPEs that read from SPE 0's local store."""
ALONG_THE_RING = (1, 3, 5, 6, 4, 2)
"""SPEs of the development console, by their logical numbers, which follow the ring."""


def eib_rows() -> Iterator[Experiment]:
    """Measure 16 KB `get` commands, with one wait at the end, so that the queue never becomes
    empty. Eight commands in flight have the same effect.

    The machine is the development console, whose counters show the use of the rings. The column
    `step` is the logical number of the SPE that is read from, minus the reader's, modulo six.
    """
    yield from measured(
        "ps3-devkit",
        "pairwise",
        op="get",
        placement=_along_the_ring(6),
        iterations=512,
        what="pairs",
    )
    common = {"size": "16k", "spe_to_spe": True, "batch": 0, "iterations": 256}
    for readers in range(1, 6):
        yield from measured(
            "ps3-devkit",
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
                "ps3-devkit", "dmaget", placement=placement, what="alone", step=step, **common
            )


def _along_the_ring(spes: int) -> str:
    """The first `spes` SPEs along the ring, in the format of `--placement`."""
    return ",".join(map(str, ALONG_THE_RING[:spes]))


def eib_charts(rows: Rows) -> Iterator[Chart]:
    """Draw bandwidth by the number of readers."""
    chart = Chart("Readers of one local store", Axis("SPEs", ticks="all"), BANDWIDTH)
    line = rows.where(what="readers")
    chart.line("without the harness", line.column("readers"), line.column("bandwidth_gb_s"))
    chart.published("measured", [1, 2, 3, 4, 5], READERS_GB_S)
    yield chart


# Sections 2.3 and 4.1: main memory

SIZES = [256, 512, 1024, 2048, 4096, 8192, 16384]


def memory_rows() -> Iterator[Experiment]:
    """Measure 16 KB `get` and `put` commands, with two and eight commands in flight for each SPE,
    and `get` commands of every size.
    """
    yield from programmed(
        "ps3", "stream", spes=6, op=["get", "put"], size=16384, depth=[2, 8], what="depth"
    )
    yield from programmed("ps3", "stream", spes=6, op="get", size=SIZES, depth=8, what="size")


def memory_charts(rows: Rows) -> Iterator[Chart]:
    """Draw bandwidth by DMA size, with eight DMAs in flight."""
    size = Axis("DMA size (bytes)", log=2, ticks="bytes")
    chart = Chart("Six SPEs and memory", size, BANDWIDTH)
    line = rows.where(what="size")
    chart.line(
        "gets, without the harness", line.column("size_bytes"), line.column("bandwidth_gb_s")
    )
    chart.published("gets: 22 GB/s", [256, 16384], [22, 22], margin=ABOUT)
    yield chart


# Section 3.5: a lock line


def atomic_rows() -> Iterator[Experiment]:
    """Measure a few hundred alternating updates of a lock line by SPEs 0 and 1. Every update takes
    the same time.
    """
    yield from programmed("ps3", "bounce", turns=300)


# Programs that move no data


def kernel_rows() -> Iterator[Experiment]:
    """Measure six loops that are timed by the PPE's clock, and two loops that are timed by the
    SPU's clock.
    """
    yield from programmed("ps3", "kernel", kind=list(KERNELS))


# PPE tuning, and Sections 1.1 to 1.3: the PPE


def ppe_rows() -> Iterator[Experiment]:
    """Measure loops of instructions that the source prints, in one thread of the PPE or in two."""
    arithmetic = ["vmx-fma", "fmadd", "add", "two-fmadd"]
    reads = ["l1-read", "l1-read-old", "l2-read", "l2-read-old"]
    chases = ["l1-chase", "l2-chase", "l1-index", "l2-index"]
    loops = arithmetic + reads + chases
    yield from programmed("ps3", "timed", executable="ppe_loops", loop=loops)
    both = ["fmadd", "add"]
    yield from programmed("ps3", "timed", executable="ppe_loops", loop="mixed", part=both)


def correction_rows() -> Iterator[Experiment]:
    """Measure the loop of reciprocals before and after its correction."""
    loops = ["reciprocal-lnop", "reciprocal-nop"]
    yield from programmed("ps3", "timed", executable="spe_kernels", loop=loops)


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
    Figure(
        "ppe",
        "PPE tuning, and Sections 1.1 to 1.3: loops of the PPE",
        ppe_rows,
    ),
    Figure(
        "spu",
        "SPU tuning, Sections 5 and 6: the correction of a loop of instructions",
        correction_rows,
    ),
)
