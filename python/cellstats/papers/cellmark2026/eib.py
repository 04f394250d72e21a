"""Sections 3.1 to 3.4: gets between local stores, in pairs, from one, and of every SPE alone."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured

READERS_GB_S = [23.58, 23.78, 23.86, 23.76, 23.71]
"""Of one to five SPEs that read from the local store of SPE 0."""
ITERATIONS = 256
ALONG_THE_RING = (0, 2, 4, 5, 3, 1)
"""The SPEs of a console that has these six, in its own order: along the ring."""


def rows() -> Iterator[Ask]:
    """Gets of 16 KB that wait at the end: a queue that never runs dry, as with eight under way.

    SPEs are logical ones of the console's own operating system. The column `step` has how many
    numbers, of six, the one that is read from comes after its reader.
    """
    yield from measured(
        "ps3", "pairwise", op="get", placement=_listed(6), iterations=512, what="pairs"
    )
    common = {"size": "16k", "spe_to_spe": True, "batch": 0, "iterations": ITERATIONS}
    for readers in range(1, 6):
        yield from measured(
            "ps3",
            "dmaget",
            placement=_listed(readers + 1),
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


def _listed(spes: int) -> str:
    """The first SPEs, as `--placement` has them."""
    return ",".join(map(str, ALONG_THE_RING[:spes]))


def draw(rows: Answers) -> Iterator[Chart]:
    """Bandwidth by the number of readers."""
    axis = Axis("Bandwidth, all SPEs (GB/s)", least=0)
    chart = Chart("Readers of one local store", Axis("SPEs", ticks="all"), axis)
    line = rows.where(what="readers")
    chart.line("simulated", line.column("readers"), line.column("bandwidth_gb_s"))
    chart.published("measured", [1, 2, 3, 4, 5], READERS_GB_S)
    yield chart
