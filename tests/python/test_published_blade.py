"""Does the blade still show what abellan2008blade published, and sudheer2009 of its two Cells?

As in test_published.py: a plain number is held to 5 %, one that the paper calls approximate to
10 %, and a test that is wider says why. What does not come out is expected to fail, and says what
is measured.
"""

from functools import cache
from itertools import pairwise
from typing import Any

import pytest

import cellstats as cs

PLAIN, ABOUT = 0.05, 0.10
QS20 = cs.machine("qs20")
VALUES = {row["key"]: row["value"] for row in QS20.values()}
CELLS = pytest.mark.parametrize("cells", ["0", "1"])
MEMORIES = pytest.mark.parametrize("memory", ["0", "1"])
ACROSS, WITHIN = "0,8", "0,1"


@cache
def measure(function: str, iterations: int = 1_000, **parameters: Any) -> cs.Result:
    return QS20.measure(function, iterations=iterations, **parameters)


def ns(function: str, **parameters: Any) -> float:
    return measure(function, **parameters).latency_ns


def gb_s(result: cs.Result) -> float:
    assert result.bandwidth_gb_s is not None
    return result.bandwidth_gb_s


@cache
def dma(size: int, spes: int, cells: str, **parameters: Any) -> cs.Result:
    """Gets, unless it is said; large ones repeat so evenly that few iterations tell all."""
    function = parameters.pop("function", "dmaget")
    iterations = 1_000 if size <= 2048 else 300
    return QS20.measure(
        function, size=size, spes=spes, cells=cells, iterations=iterations, **parameters
    )


def moves(size: int, placement: str, iterations: int = 500) -> cs.Result:
    """Gets from the local store of the first SPE by all others."""
    return measure("dmaget", iterations, spe_to_spe=True, placement=placement, size=size)


# abellan2008blade, sections 2 to 4.1: the machine.


def test_the_machine_is_the_papers() -> None:
    assert (QS20.chips, len(QS20.spes)) == (2, 16)
    assert VALUES["chip.processor_clock_hz"] == 3_200_000_000
    assert VALUES["chip.main_memory_bytes"] == 1 << 30
    assert VALUES["mfc.local_store_bytes"] == 256 << 10
    assert 1e9 / QS20.timebase_hz == pytest.approx(70, rel=0.001)
    assert VALUES["mfc.inbound_mailbox_entries"] == 4
    assert 8 * VALUES["mfc.spu_queue_entries"] == 128


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16, 48, 16384])
def test_sizes_of_dmas(size: int) -> None:
    QS20.check("dmaget", size=size)


@pytest.mark.parametrize("size", [0, 3, 12, 24, 16400])
def test_sizes_that_no_dma_has(size: int) -> None:
    with pytest.raises(cs.UsageError, match="multiple of 16"):
        QS20.check("dmaget", size=size)


def test_a_list_has_2048_elements_at_most() -> None:
    QS20.check("dmalistget", size=16, list_elements=2048)
    with pytest.raises(cs.UsageError, match="1 to 2048"):
        QS20.check("dmalistget", size=16, list_elements=2049)


def test_whole_lines_are_fastest() -> None:
    assert gb_s(dma(2048, 1, "0")) > gb_s(dma(2048 - 16, 1, "0"))


# 4.2: threads, mailboxes, signals.


def test_thread_creation_takes_1680_us() -> None:
    assert ns("mkthread", iterations=100) == pytest.approx(1_680_000, rel=ABOUT)


@pytest.mark.parametrize(
    ("function", "ppe", "published_ns"),
    [
        ("mailbox", "library", (10_000, 10_000)),
        ("mailbox", "mmio", (779.7, 1678.2)),
        ("signal", "library", (18_000, 18_000)),
        ("signal", "mmio", (503.8, 1182.3)),
    ],
)
@CELLS
def test_table_1_ppe_and_spe(
    function: str, ppe: str, cells: str, published_ns: tuple[float, float]
) -> None:
    # A mailbox by library takes 9.6 us to Cell 0 and 10.5 to Cell 1 here, where the paper has 10.0
    # of both: what registers take, with which the two differ by 0.9 us, is part of the calls.
    tolerance = 0.055 if (function, ppe) == ("mailbox", "library") else PLAIN
    latency_ns = ns(function, ppe=ppe, cells=cells)
    assert latency_ns == pytest.approx(published_ns[int(cells)], rel=tolerance)


@pytest.mark.parametrize(
    ("function", "placement", "published_ns"),
    [
        ("mailbox", WITHIN, 158.1),
        ("mailbox", ACROSS, 589.9),
        ("signal", WITHIN, 160.1),
        ("signal", ACROSS, 619.4),
    ],
)
def test_table_1_two_spes(function: str, placement: str, published_ns: float) -> None:
    latency_ns = ns(function, spe_to_spe=True, placement=placement)
    assert latency_ns == pytest.approx(published_ns, rel=PLAIN)


@CELLS
@pytest.mark.parametrize("function", ["mailbox", "signal"])
def test_registers_are_much_faster_than_the_library(function: str, cells: str) -> None:
    assert ns(function, ppe="mmio", cells=cells) < ns(function, ppe="library", cells=cells) / 5


@pytest.mark.parametrize("function", ["mailbox", "signal"])
def test_the_ppe_takes_twice_as_long_to_the_other_cell(function: str) -> None:
    # "Doubles": in the paper's own table it is 2.15 and 2.35 times as much.
    times = ns(function, ppe="mmio", cells="1") / ns(function, ppe="mmio", cells="0")
    assert times == pytest.approx(2, rel=0.25)


@pytest.mark.parametrize("function", ["mailbox", "signal"])
def test_spes_take_almost_four_times_as_long_across(function: str) -> None:
    across, within = (ns(function, spe_to_spe=True, placement=p) for p in (ACROSS, WITHIN))
    assert 4 * (1 - ABOUT) < across / within < 4


@pytest.mark.parametrize("function", ["mailbox", "signal", "dmaget", "dmaput"])
def test_whatever_crosses_is_slower(function: str) -> None:
    across, within = (ns(function, spe_to_spe=True, placement=p) for p in (ACROSS, WITHIN))
    assert across > 2 * within


# 4.2, Figure 2: atomic operations.


@MEMORIES
@pytest.mark.parametrize("spes", [1, 2, 8, 9, 16])
def test_private_fetchadd_takes_111_ns(spes: int, memory: str) -> None:
    latency_ns = ns("fetchadd", spes=spes, private=True, memory=memory)
    assert latency_ns == pytest.approx(111, rel=ABOUT)


@MEMORIES
def test_shared_fetchadd_takes_7500_ns_at_16(memory: str) -> None:
    # A number of a figure's last point: 7.1 us here.
    assert ns("fetchadd", spes=16, memory=memory) == pytest.approx(7_500, rel=ABOUT)


@pytest.mark.parametrize("spes", range(3, 17))
def test_shared_fetchadd_grows_linearly(spes: int) -> None:
    # Within 15 % of a sixteenth of 7.5 us for each SPE, as seen from a figure, and not yet of two
    # SPEs, which take 1.15 us. While all are on one Cell each takes somewhat more than where the
    # line has to cross, too.
    assert ns("fetchadd", spes=spes) == pytest.approx(7_500 * spes / 16, rel=0.15)


@pytest.mark.parametrize("function", ["fetchsub", "fetchinc", "fetchdec", "fetchset"])
@pytest.mark.parametrize(("spes", "private"), [(1, False), (16, True), (16, False)])
def test_the_other_atomic_operations_are_similar(function: str, spes: int, private: bool) -> None:
    fetchadd_ns = ns("fetchadd", spes=spes, private=private)
    assert ns(function, spes=spes, private=private) == pytest.approx(fetchadd_ns, rel=ABOUT)


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("spes", [1, 4, 8, 16])
def test_where_the_variable_lies_has_no_effect(spes: int, private: bool) -> None:
    one, other = (ns("fetchadd", spes=spes, private=private, memory=m) for m in "01")
    assert other == pytest.approx(one, rel=PLAIN)


# 4.2, Figure 3: gets.


@CELLS
@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("spes", [1, 8])
def test_latency_is_constant_up_to_a_line(spes: int, private: bool, cells: str) -> None:
    latencies_ns = [
        dma(size, spes, cells, private=private).latency_ns for size in (1, 8, 16, 64, 128)
    ]
    assert max(latencies_ns) < 1.05 * min(latencies_ns)


@CELLS
def test_latency_grows_with_the_size_beyond_a_line(cells: str) -> None:
    sizes = [128, 256, 512, 1024, 2048, 4096, 8192, 16384]
    latencies_ns = [dma(size, 1, cells).latency_ns for size in sizes]
    assert latencies_ns == sorted(set(latencies_ns))
    # From where all requests are under way, in proportion.
    slopes = [after - before for before, after in pairwise(latencies_ns[-4:])]
    assert slopes[1] == pytest.approx(2 * slopes[0], rel=ABOUT)
    assert slopes[2] == pytest.approx(2 * slopes[1], rel=ABOUT)


@CELLS
@pytest.mark.parametrize("spes", [1, 2, 4, 8])
def test_a_line_of_private_memory_takes_300_ns(spes: int, cells: str) -> None:
    assert dma(128, spes, cells, private=True).latency_ns == pytest.approx(300, rel=ABOUT)


def test_sixteen_spes_too_take_300_ns() -> None:
    assert dma(128, 16, "01", private=True).latency_ns == pytest.approx(300, rel=ABOUT)


@pytest.mark.parametrize("cells", ["01", "10"])
@pytest.mark.parametrize("size", [16, 128])
def test_a_shared_line_takes_longer_for_every_spe(size: int, cells: str) -> None:
    # "Proportional to the number of SPEs", without a number; 186 to 270 ns for each here.
    each_ns = [dma(size, spes, cells).latency_ns / spes for spes in (2, 4, 8, 12, 16)]
    middle = sum(each_ns) / len(each_ns)
    assert each_ns == pytest.approx([middle] * len(each_ns), rel=0.25)


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize(
    ("cells", "memory", "published_gb_s"),
    [("0", "0", 24.6), ("1", "0", 13.6), ("1", "1", 24.6), ("0", "1", 13.6)],
)
def test_eight_spes_get_from_their_own_and_from_the_other_memory(
    cells: str, memory: str, published_gb_s: float, private: bool
) -> None:
    result = dma(16384, 8, cells, memory=memory, private=private)
    assert gb_s(result) == pytest.approx(published_gb_s, rel=PLAIN)


@pytest.mark.parametrize("memory", [0, 1])
def test_of_sixteen_those_beside_the_memory_are_faster(memory: int) -> None:
    result = dma(16384, 16, "01", private=True, memory=str(memory))
    own, other = (
        [row.latency_ns for row in result.per_spe if (QS20.chip_of(row.spe) == memory) == here]
        for here in (True, False)
    )
    assert max(own) < min(other)


@pytest.mark.parametrize(("spes", "cells"), [(8, "0"), (8, "1"), (16, "01")])
@pytest.mark.parametrize("size", [128, 256, 512, 1024])
def test_private_buffers_are_faster_up_to_1_kb(size: int, spes: int, cells: str) -> None:
    private, shared = (gb_s(dma(size, spes, cells, private=p)) for p in (True, False))
    assert private > 1.05 * shared


CONVERGING = [
    # (size, SPEs, cells)
    (8192, 8, "1"),
    (16384, 8, "1"),
    (8192, 8, "0"),
    (16384, 8, "0"),
    (16384, 16, "01"),
]
NOT_YET = [(2048, 8, "0"), (4096, 16, "01")]
"""The more SPEs want a line, the larger DMAs have to be until they no longer meet at it.

Between, eight SPEs may settle so that they meet at no line, or so that they always do: that depends
on when each has started, and so on every time that the PPE takes before.
"""


def converge(size: int, spes: int, cells: str) -> None:
    private, shared = (gb_s(dma(size, spes, cells, private=p)) for p in (True, False))
    # Sixteen may settle so that those of one Cell still meet at a line now and then: 7 % less.
    assert shared == pytest.approx(private, rel=ABOUT if spes == 16 else PLAIN)


@pytest.mark.parametrize(("size", "spes", "cells"), CONVERGING)
def test_private_and_shared_converge_above_1_kb(size: int, spes: int, cells: str) -> None:
    converge(size, spes, cells)


@pytest.mark.xfail(strict=True, reason="shared: 14.7 and 15.6 GB/s, private: 26.4 and 34.9 GB/s")
@pytest.mark.parametrize(("size", "spes", "cells"), NOT_YET)
def test_private_and_shared_converge_above_1_kb_everywhere(
    size: int, spes: int, cells: str
) -> None:
    converge(size, spes, cells)


@CELLS
@pytest.mark.parametrize(("size", "spes"), [(128, 1), (128, 8), (1024, 8), (16384, 1), (16384, 8)])
def test_puts_are_not_very_different_from_gets(size: int, spes: int, cells: str) -> None:
    # "No significant differences": within 1 % but for eight SPEs of the memory's own Cell, whose
    # puts are 18 % slower at 1 KB and 6 % at 16 KB, as memory's off-ramp idles between lines of
    # different SPEs (kistler2006 has 6 %, too).
    get, put = (
        dma(size, spes, cells, private=True, function=function) for function in ("dmaget", "dmaput")
    )
    assert put.latency_ns == pytest.approx(get.latency_ns, rel=0.20)


# 4.2, Figure 4: moves between local stores.


def test_moves_within_a_cell_approach_the_most_that_a_local_store_gives() -> None:
    assert gb_s(moves(16384, "0-7")) == pytest.approx(25.6, rel=PLAIN)


def test_moves_across_are_limited_by_the_interface() -> None:
    # With four SPEs it has what it can carry: no more of them, and none nearer, would help.
    four, eight = (gb_s(moves(16384, spes)) for spes in ("0,8-11", "0,8-15"))
    assert eight == pytest.approx(four, rel=PLAIN)
    assert eight < gb_s(moves(16384, "0-7")) / 2


def test_moves_across_have_less_than_gets_from_the_other_memory() -> None:
    assert gb_s(moves(16384, "0,8-15")) < min(13.6, gb_s(dma(16384, 8, "1")))
    assert moves(128, ACROSS).latency_ns > dma(128, 1, "1").latency_ns


# sudheer2009, section 3: messages between the Cells, of 16 KB and, as four DMAs, of 64 KB.

PAIRS = ",".join(f"{spe},{spe + 8}" for spe in range(8))
LIMITS = pytest.mark.parametrize(("op", "limit_gb_s"), [("put", 30), ("get", 20)])


def message(op: str, placement: str, dmas: int) -> float:
    """Couples: the first of each two puts to the second, on Cell 1, or gets from it."""
    parameters = {"op": op, "placement": placement, "size": 16384, "batch": dmas}
    return gb_s(measure("couples", 64, **parameters))


def test_the_interface_carries_30_gb_s_one_way_and_20_the_other() -> None:
    lane = VALUES["bif.lane_bytes_per_second"] / 1e9
    carried = [lane * VALUES[f"bif.lanes_from_chip_{chip}"] for chip in (0, 1)]
    assert carried == pytest.approx([30, 20], rel=ABOUT)
    # abellan2008blade has 20 GB/s each way.
    assert min(carried) == pytest.approx(20, rel=PLAIN)


@LIMITS
@pytest.mark.parametrize("dmas", [1, 4])
def test_one_pair_is_far_from_the_limit(op: str, dmas: int, limit_gb_s: float) -> None:
    assert message(op, ACROSS, dmas) < limit_gb_s / 2


@LIMITS
@pytest.mark.parametrize("dmas", [1, 4])
def test_many_pairs_do_not_reach_it_either(op: str, dmas: int, limit_gb_s: float) -> None:
    assert message(op, ACROSS, dmas) < message(op, PAIRS, dmas) < 0.9 * limit_gb_s


@pytest.mark.parametrize("op", ["get", "put"])
def test_a_pair_of_two_cells_has_much_less_than_one_of_the_same(op: str) -> None:
    assert message(op, ACROSS, 1) < message(op, WITHIN, 1) / 2
