"""What the text says without a figure: local stores, small DMAs, waiting, the other chip."""

from collections.abc import Iterator
from typing import Any

from cellstats.papers.jimenez2007 import _accesses
from cellstats.reproduce import Answers, Ask, Chart, measured, programmed

SMALL = [16, 32, 64, 128]


def rows() -> Iterator[Ask]:
    """Section 4.2.2 is the local store; the rest, loops of instructions too, is said in passing."""
    yield from _accesses.of_spu()
    for kind, instructions in (("single", 128), ("double", 128), ("commands", 32), ("loads", 32)):
        unrolled = [] if instructions == 128 else [f"{kind}_unrolled"]
        yield from programmed(
            "blade-2100", "loop", kind=[kind, *unrolled], instructions=instructions
        )
    # With memory: small DMAs, when to wait, and one memory instead of both.
    for op in ("get", "put"):
        for size in SMALL:
            yield from _with_memory(op, size)
        for size in (1024, 4096):
            yield from _with_memory(op, size, batch=[1, 0])
        yield from _with_memory(op, 16384, spes=4, memory="0")
    # Between two local stores of one chip, and of two.
    yield from measured("blade-2100", "couples", size=SMALL, placement="0,1")
    yield from measured("blade-2100", "couples", op=["get", "put"], placement=["0,1", "0,8"])


def _with_memory(op: str, size: int, **other: Any) -> Iterator[Ask]:
    return measured(
        "blade-2100",
        "hotspot",
        op=op,
        size=size,
        cells="0",
        **{"spes": 1, "memory": "interleave", **other},
    )


def draw(rows: Answers) -> Iterator[Chart]:
    """Section 4.2.2: an SPU and its local store."""
    for chart in _accesses.charts(rows, "ls", "Local store").values():
        yield chart.published("16 bytes: 33.6 GB/s", [16], [33.6])
