"""Basic DMA performance: what the text says without a figure."""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, measured, programmed

HALF_WAY, NEIGHBOURS = "0,7,1,6,2,5,3,4", "1,3,5,7,0,2,4,6"
"""Four pairs of SPEs that are half way round the ring apart, and four with one hop between."""
CLOCKWISE = "1,7,2,3,6,0,5,4"
"""A cycle in which every put goes clockwise, every get counterclockwise, most of them five hops."""


def rows() -> Iterator[Ask]:
    """Every pair of SPEs, and every SPE with memory; double precision; mailboxes; patterns."""
    pairs = [f"{a},{b}" for a in range(8) for b in range(8) if a != b]
    yield from measured(
        "eval-board",
        ["dmaget", "dmaput"],
        size=128,
        spe_to_spe=True,
        placement=pairs,
        iterations=200,
        what="pair",
    )
    yield from measured(
        "eval-board",
        ["dmaget", "dmaput"],
        size=128,
        placement=[str(spe) for spe in range(8)],
        iterations=200,
        what="with memory",
    )
    yield from programmed("eval-board", "loop", kind="double", instructions=128)
    yield from measured("eval-board", "mailbox", spes=2, spe_to_spe=True, iterations=1000)
    yield from measured("eval-board", "mailbox", ppe="mmio", iterations=1000)
    for op, what in (("put", "one way"), ("copy", "both ways")):
        yield from measured(
            "eval-board", "cycle", op=op, placement=CLOCKWISE, iterations=512, what=what
        )
    for what, placement in (("half way", HALF_WAY), ("neighbours", NEIGHBOURS)):
        yield from measured(
            "eval-board",
            "pairwise",
            op=["get", "put"],
            placement=placement,
            iterations=512,
            what=what,
        )
    yield from measured(
        "eval-board", ["couples", "cycle"], op=["get", "put", "copy"], iterations=512, what="static"
    )


def draw(rows: Answers) -> Iterator[Chart]:
    """The least and the greatest latency by the hops between two SPEs cannot be told apart."""
    chart = Chart(
        "128 bytes, SPE 0 and another", Axis("SPE", ticks="all"), Axis("Latency (ns)", least=0)
    )
    for function in ("dmaget", "dmaput"):
        line = [
            row
            for row in rows.where(function=function, what="pair")
            if row["placement"].startswith("0,")
        ]
        others = [int(row["placement"].split(",")[1]) for row in line]
        name = function.removeprefix("dma")
        chart.line(f"{name}, local store", others, [row["latency_ns"] for row in line])
    chart.published("91 ns", [1, 7], [91, 91])
    yield chart
