"""Sections 1 to 4: pairs of SPEs, the two Cells, and what the model misses.

The paper measures MPI messages between local stores; here they are the DMAs that carry them, four
of 16 KB for a message of 64 KB.
"""

from collections.abc import Iterator, Sequence

from cellstats.core.patterns import MEMORY, Pattern, Phase, Transfer
from cellstats.papers.sudheer2009._affinities import DEFAULTS, ITERATIONS, placement_of
from cellstats.reproduce import Answers, Ask, Axis, Chart, measured, over_placements

IDENTITY = "0,1,2,3,4,5,6,7"
WITHIN, ACROSS = "0,1", "0,8"
PAIRS = ",".join(f"{spe},{spe + 8}" for spe in range(8))
RING = (0, 2, 4, 6, 7, 5, 3, 1)
"""The SPEs of a Cell in the order of the ring."""
KB64 = 65536

# Three messages that go clockwise and do not overlap. Two of the first three cross an end of the
# ring: from SPE 0 by the memory controller and the PPE, from SPE 7 by the I/O interfaces.
AT_THE_ENDS = ((0, 3), (7, 6), (4, 2))
ELSEWHERE = ((1, 5), (5, 7), (6, 2))


def rows() -> Iterator[Ask]:
    """All measurements."""
    yield from _pairs()
    yield from _cells()
    yield from _messages()
    yield from _rotations()
    yield from _tree()
    yield from _blade()


def _pairs() -> Iterator[Ask]:
    """Every pair of SPEs of a Cell: short messages, and long ones; and an SPE with memory."""
    pairs = [f"{a},{b}" for a in range(8) for b in range(8) if a != b]
    common = {"spe_to_spe": True, "placement": pairs, "what": "pair"}
    yield from measured("qs20", "dmaput", size=128, iterations=200, **common)
    yield from measured("qs20", "dmaput", size="16k", batch=0, iterations=100, **common)
    yield from measured(
        "qs20", "dmaget", size="16k", batch=0, iterations=200, placement="0", what="memory"
    )


def _cells() -> Iterator[Ask]:
    """Messages between the Cells, of one DMA and of four, from and to Cell 0."""
    for what, placement in (("across", ACROSS), ("within", WITHIN), ("eight pairs", PAIRS)):
        yield from measured(
            "qs20",
            "couples",
            op=["put", "get"],
            placement=placement,
            batch=[1, 4],
            iterations=64,
            what=what,
        )


def _messages() -> Iterator[Ask]:
    """A few messages, alone and together, of one length and of several; and with memory."""
    cases: dict[str, list[tuple[int, int, int]]] = {
        "one": [(*AT_THE_ENDS[0], KB64)],
        "three": [(*pair, KB64) for pair in AT_THE_ENDS],
        "three elsewhere": [(*pair, KB64) for pair in ELSEWHERE],
        "unequal": [(*pair, KB64 >> nth) for nth, pair in enumerate(AT_THE_ENDS)],
    }
    for what, messages in cases.items():
        yield from _exchange(what, messages)
    # SPEs that are half way round apart, each sends to the other.
    halfway = [(spe, 7 - spe, KB64) for spe in range(8)]
    yield from _exchange("half way", halfway)
    yield from _exchange("one half way", halfway[:1])
    identity = [(spe, (spe + 1) % 8, KB64) for spe in range(8)]
    yield from _exchange("a ring", identity)
    threads = [Transfer(spe, (spe + 1) % 8, KB64) for spe in range(8)]
    # The messages take longer than this.
    memory = [Transfer(MEMORY, spe, KB64 // 16) for spe in range(8)]
    busy = Pattern("a ring, and memory", 8, (Phase((*threads, *memory)),))
    yield from measured(
        "qs20", "exchange", pattern=busy, placement=IDENTITY, iterations=4, what=busy.name
    )


def _exchange(what: str, messages: Sequence[tuple[int, int, int]]) -> Iterator[Ask]:
    """Messages of (SPE, SPE, bytes), all at once, on one Cell; thread i is on SPE i."""
    pattern = Pattern(what, 8, (Phase(tuple(Transfer(*message) for message in messages)),))
    yield from measured(
        "qs20", "exchange", pattern=pattern, placement=IDENTITY, iterations=4, what=what
    )


def _rotations() -> Iterator[Ask]:
    """The ring pattern with all threads moved on round the ring."""
    identity = [RING.index(spe) for spe in range(8)]
    for moved in range(8):
        placement = ",".join(str(RING[(place + moved) % 8]) for place in identity)
        yield from measured(
            "qs20",
            "exchange",
            pattern="ring",
            size="64k",
            placement=placement,
            iterations=4,
            what="rotated",
        )


def _tree() -> Iterator[Ask]:
    """A binomial tree under random affinities."""
    return over_placements(
        "qs20",
        "exchange",
        DEFAULTS,
        pattern="binomial-tree",
        size="64k",
        spes=8,
        cells="0",
        iterations=ITERATIONS,
        what="binomial tree",
    )


def _blade() -> Iterator[Ask]:
    """The ring pattern of sixteen threads: halves, or every other thread on the other Cell."""
    for order in ("identity", "evenodd", "ring", "overlap", "leap2"):
        spes = [int(spe) for spe in placement_of(order, "ring").split(",")]
        halves = [*spes, *(8 + spe for spe in spes)]
        alternate = [spes[nth // 2] + 8 * (nth % 2) for nth in range(16)]
        for what, placed in (("halves", halves), ("alternate", alternate)):
            yield from measured(
                "qs20",
                "exchange",
                pattern="ring",
                size="64k",
                placement=",".join(map(str, placed)),
                iterations=2,
                what=what,
                order=order,
            )


def draw(rows: Answers) -> Iterator[Chart]:
    """Messages between the Cells, and what partition and order are worth."""
    axis = Axis("Bandwidth (GB/s)", least=0)
    names = ["within", "across", "eight pairs"]
    cells = Chart("Messages of 64 KB within and across", Axis(""), axis, names=names)
    for op, way in (("put", "from Cell 0"), ("get", "to Cell 0")):
        of = [rows.where(what=name, op=op, batch=4)[0]["bandwidth_gb_s"] for name in names]
        cells.bar(way, of)
    cells.published("limits: 30 and 20 GB/s", [1, 2], [30, 30])
    cells.published("limits: 30 and 20 GB/s", [1, 2], [20, 20])
    yield cells

    orders = [row["order"] for row in rows.where(what="halves")]
    blade = Chart("Sixteen threads in a ring, 64 KB", Axis(""), axis, names=orders)
    for what in ("halves", "alternate"):
        blade.bar(what, rows.where(what=what).column("bandwidth_gb_s"))
    yield blade

    rotated = rows.where(what="rotated").column("bandwidth_gb_s")
    turns = Chart("A ring, all threads moved on", Axis("SPEs moved on", ticks="all"), axis)
    yield turns.line("ring pattern, 64 KB", range(8), rotated)
