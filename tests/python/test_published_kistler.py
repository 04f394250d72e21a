"""Does the evaluation board still show what kistler2006 published?

A plain number is held to 5 %, one that the paper calls approximate to 10 %; orders and trends are
exact. A test that is wider or narrower than its paper says so, and why. What does not come out is
an expected failure, strictly: if it begins to pass, that is noticed. Beside it stands a test of
what comes out instead.
"""

from functools import cache
from typing import Any

import pytest

import cellstats as cs

PLAIN = 0.05
ABOUT = 0.10
PEAK_GB_S = 25.6
BOARD = cs.machine("eval-board")
OPS = ("get", "put")
MEMORY: dict[str, Any] = {}
LOCAL_STORE: dict[str, Any] = {"spes": 2, "spe_to_spe": True}
OP = pytest.mark.parametrize("op", OPS)
QUICK_DMAS = pytest.mark.parametrize(
    ("function", "where"), [("dmaput", MEMORY), ("dmaput", LOCAL_STORE), ("dmaget", LOCAL_STORE)]
)
falls_short = pytest.mark.xfail(strict=True, raises=AssertionError)


def one_spe(function: str, where: dict[str, Any], size: int | str, batch: int = 1) -> cs.Result:
    return BOARD.measure(function, size=size, batch=batch, iterations=2048, **where)


@cache
def pattern(function: str, op: str, **parameters: Any) -> cs.Result:
    return BOARD.measure(function, op=op, iterations=512, **parameters)


def bandwidth(result: cs.Result) -> float:
    assert result.bandwidth_gb_s is not None
    return result.bandwidth_gb_s


# Table 1: latency components, in SPU cycles.


@pytest.mark.parametrize(
    ("component", "published"), [("dma_to_eib", 30), ("coherence_protocol", 100)]
)
def test_components_of_table_1(component: str, published: int) -> None:
    assert BOARD.breakdown()[component].spu_cycles == pytest.approx(published, rel=PLAIN)


def test_a_dma_is_issued_in_10_cycles() -> None:
    # The paper counts five channel writes, of two cycles each. spu_mfcio.h writes six: the
    # effective address takes two.
    assert BOARD.breakdown()["dma_issue"].spu_cycles == pytest.approx(10 * 6 / 5)


def test_data_transfer_and_completion_take_140_cycles() -> None:
    # 164, and 136 if the put is to memory. The paper's Figure 4 has 91 ns for both, which these two
    # enclose (96 and 87 ns); a completion short enough for 140 would leave memory with 79 ns.
    parts = BOARD.breakdown()
    cycles = parts["data_transfer"].spu_cycles + parts["completion"].spu_cycles
    assert cycles == pytest.approx(140, rel=0.20)


def test_all_components_but_the_list_take_280_cycles() -> None:
    assert BOARD.breakdown()["total"].spu_cycles == pytest.approx(280, rel=ABOUT)


@falls_short
def test_a_list_element_is_fetched_in_10_cycles() -> None:
    # The first one takes 2276: abellan2008ps3 shows a long time for every list (half the bandwidth
    # of single DMAs, for one element or for sixteen), and here that falls before the first element.
    parts = BOARD.breakdown("dmalistput", spe_to_spe=True)
    assert parts["list_element_fetch"].spu_cycles == pytest.approx(10, rel=1)


def test_a_list_element_costs_little_once_the_list_is_under_way() -> None:
    one, two = (
        BOARD.breakdown("dmalistput", spe_to_spe=True, list_elements=elements).total.spu_cycles
        for elements in (1, 2)
    )
    assert two - one <= 20


# Basic DMA performance, Figure 4: one SPE, blocking.


@QUICK_DMAS
def test_a_line_takes_91_ns(function: str, where: dict[str, Any]) -> None:
    assert one_spe(function, where, 128).latency_ns == pytest.approx(91, rel=ABOUT)


@QUICK_DMAS
@falls_short
def test_512_bytes_take_91_ns_too(function: str, where: dict[str, Any]) -> None:
    assert one_spe(function, where, 512).latency_ns == pytest.approx(91, rel=ABOUT)


@QUICK_DMAS
def test_every_line_adds_its_beats(function: str, where: dict[str, Any]) -> None:
    # Why: a line follows the other in 8 bus cycles, which are 5 ns, so 512 bytes take 102 and
    # 111 ns. The decrementer that the paper measures with ticks every 40 ns.
    line, lines = (one_spe(function, where, size).latency_ns for size in (128, 512))
    assert lines - line == pytest.approx(3 * 5, abs=0.1)
    assert lines < 1.25 * 91


def test_a_get_from_memory_takes_less_than_100_ns_to_fetch() -> None:
    assert BOARD.breakdown("dmaget")["data_transfer"].ns < 100


def test_puts_and_gets_of_local_stores_differ_little() -> None:
    get, put = (one_spe(function, LOCAL_STORE, 128).latency_ns for function in ("dmaget", "dmaput"))
    assert get == pytest.approx(put, rel=PLAIN)


@pytest.mark.parametrize("function", ["dmaget", "dmaput"])
def test_the_position_of_spes_makes_no_difference(function: str) -> None:
    # "No performance difference": a hop is a bus cycle, which makes 3 ns between the nearest and
    # the farthest, and 2 % of the bandwidth.
    latencies_ns = [
        one_spe(function, {**LOCAL_STORE, "placement": [a, b]}, 128).latency_ns
        for a in range(8)
        for b in range(8)
        if a != b
    ]
    assert max(latencies_ns) - min(latencies_ns) < 4
    near, far = (
        bandwidth(one_spe(function, {**LOCAL_STORE, "placement": [0, other]}, "16k"))
        for other in (2, 7)
    )
    assert far == pytest.approx(near, rel=0.03)


@pytest.mark.parametrize("function", ["dmaget", "dmaput"])
def test_nor_does_it_on_the_way_to_memory(function: str) -> None:
    latencies_ns = [one_spe(function, {"placement": [spe]}, 128).latency_ns for spe in range(8)]
    assert max(latencies_ns) - min(latencies_ns) < 4


@pytest.mark.parametrize(
    ("function", "where", "published_gb_s"),
    [
        ("dmaput", MEMORY, 22.5),
        ("dmaput", LOCAL_STORE, 22.5),
        ("dmaget", LOCAL_STORE, 22.5),
        ("dmaget", MEMORY, 15),
    ],
)
def test_blocking_dma_of_16_kb(function: str, where: dict[str, Any], published_gb_s: float) -> None:
    assert bandwidth(one_spe(function, where, "16k")) == pytest.approx(published_gb_s, rel=PLAIN)


# Figure 5: batches.


@pytest.mark.parametrize("where", [MEMORY, LOCAL_STORE])
@pytest.mark.parametrize("size", ["2k", "4k", "16k"])
def test_nonblocking_puts_have_all_the_bandwidth_from_2_kb_on(
    where: dict[str, Any], size: str
) -> None:
    assert bandwidth(one_spe("dmaput", where, size, batch=0)) == pytest.approx(PEAK_GB_S, rel=0.01)


def test_to_local_stores_with_even_smaller_ones() -> None:
    to_local_store, to_memory = (
        bandwidth(one_spe("dmaput", where, 512, batch=0)) for where in (LOCAL_STORE, MEMORY)
    )
    assert to_local_store == pytest.approx(PEAK_GB_S, rel=0.01)
    assert to_memory < 0.9 * PEAK_GB_S


def test_memory_latency_affects_nonblocking_gets() -> None:
    # "Slightly affects", without a number. Here it is 16.8 of 25.6 GB/s: sixteen lines under way,
    # which are the 15 GB/s that the paper has for blocking gets, are all that one SPE can have.
    memory, local_store = (
        bandwidth(one_spe("dmaget", where, "16k", batch=0)) for where in (MEMORY, LOCAL_STORE)
    )
    assert 15 < memory < 0.7 * local_store
    assert local_store == pytest.approx(PEAK_GB_S, rel=0.01)


def factors(function: str, where: dict[str, Any], size: int) -> list[float]:
    """Bandwidth of batches of 2 to 32, over that of blocking DMAs."""
    blocking, *batched = (
        bandwidth(one_spe(function, where, size, batch)) for batch in (1, 2, 4, 8, 16, 32)
    )
    return [each / blocking for each in batched]


@QUICK_DMAS
@pytest.mark.parametrize("size", [256, 512, 1024, 2048])
def test_batches_are_two_or_three_times_faster(
    function: str, where: dict[str, Any], size: int
) -> None:
    # The paper does not say which batch. Of 256 bytes, a batch of 4 does it; of 2 KB it takes 32,
    # and 96 % of two have to be enough. Where a batch of 4 is all that there is to gain, one of 32
    # may be 2 % behind it.
    by_batch = factors(function, where, size)
    assert by_batch[0] < by_batch[1] <= 1.02 * by_batch[-1]
    assert any(0.96 * 2 <= factor <= 1.05 * 3 for factor in by_batch)


@falls_short
def test_batches_of_4_kb_are_two_times_faster() -> None:
    # By the paper's own numbers they can hardly be: with 91 ns for up to 512 bytes and 22.5 GB/s at
    # 16 KB, blocking DMAs of 4 KB have some 17 GB/s, and 25.6 are 1.5 times that.
    assert max(factors("dmaget", LOCAL_STORE, 4096)) >= 2


def test_batches_of_4_kb_have_all_that_there_is() -> None:
    batched = bandwidth(one_spe("dmaget", LOCAL_STORE, 4096, batch=32))
    assert batched == pytest.approx(PEAK_GB_S, rel=PLAIN)


# Figure 6a: hot spots.


@pytest.mark.parametrize("target", ["memory", 0])
@pytest.mark.parametrize("spes", range(2, 9))
def test_gets_saturate_a_hot_spot_from_two_spes_on(spes: int, target: str | int) -> None:
    result = pattern("hotspot", "get", spes=spes, target=target)
    assert bandwidth(result) == pytest.approx(PEAK_GB_S, rel=0.01)


@pytest.mark.parametrize("spes", range(2, 9))
def test_puts_to_a_hot_spot_in_memory_have_less_by_1_5_gb_s(spes: int) -> None:
    # 1.5 for even numbers of SPEs, 1.0 to 1.3 for odd ones. It follows from the rule that no
    # transfer overtakes another on the way to an off-ramp: lines of different SPEs leave gaps.
    get, put = (bandwidth(pattern("hotspot", op, spes=spes)) for op in OPS)
    assert get - put == pytest.approx(1.5, abs=0.5)


@pytest.mark.parametrize("spes", range(3, 9))
def test_puts_to_a_hot_local_store_have_less_too(spes: int) -> None:
    # By 2.0 to 2.8 GB/s here, which is 8 to 11 % where the paper has 6.
    get, put = (bandwidth(pattern("hotspot", op, spes=spes, target=0)) for op in OPS)
    assert get - put == pytest.approx(1.5, abs=1.4)
    assert put == pytest.approx(PEAK_GB_S - 1.5, rel=ABOUT)


def test_a_put_of_one_partner_has_nobody_to_wait_for() -> None:
    # The paper's curve of puts is not in its text; with one sender there is no contention here.
    put = bandwidth(pattern("hotspot", "put", spes=2, target=0))
    assert put == pytest.approx(PEAK_GB_S, rel=0.01)


# Figure 6b: patterns of eight SPEs.


@OP
def test_complement_has_about_200_gb_s(op: str) -> None:
    # "Slightly below 200, 98 %": puts have 200.6, gets all of the 204.8.
    assert bandwidth(pattern("complement", op)) == pytest.approx(200, rel=PLAIN)
    assert bandwidth(pattern("complement", op)) < 204.9


@falls_short
def test_pairwise_gets_are_ahead_of_puts_by_40_gb_s() -> None:
    get, put = (bandwidth(pattern("pairwise", op)) for op in OPS)
    assert get - put == pytest.approx(40, rel=0.5)


def test_pairwise_gets_are_ahead_of_puts() -> None:
    # By 2 GB/s. Every ramp has one partner only and the rings here have room for all of them; what
    # slows the puts on silicon is not known.
    get, put = (bandwidth(pattern("pairwise", op)) for op in OPS)
    assert 1 < get - put < 5
    assert put > 0.95 * 8 * PEAK_GB_S


def test_uniform_puts_have_80_gb_s() -> None:
    # 72. The paper does not say whether its 80 are gets or puts; they lie between ours.
    assert bandwidth(pattern("uniform", "put")) == pytest.approx(80, rel=0.15)


@falls_short
def test_uniform_gets_have_80_gb_s() -> None:
    assert bandwidth(pattern("uniform", "get")) == pytest.approx(80, rel=0.15)


def test_uniform_traffic_is_the_worst() -> None:
    put, get = (bandwidth(pattern("uniform", op)) for op in ("put", "get"))
    assert put < 80 < get
    assert get < 0.55 * bandwidth(pattern("complement", "get"))


# Figure 7: every DMA of eight SPEs that share a hot spot in memory.


def latencies(op: str) -> tuple[cs.Result, Any]:
    result = pattern("hotspot", op, batch=1, histogram=True)
    assert result.dma_latency is not None
    return result, result.dma_latency


@OP
def test_most_dmas_to_a_hot_spot_take_5_6_us(op: str) -> None:
    # Puts 5.44 us; gets 5.11, and so nearer to 10 % than to 5.
    _, all_spes = latencies(op)
    fullest = max(all_spes.bins, key=lambda bar: bar.count)
    assert fullest.from_ns <= all_spes.median_ns < fullest.to_ns
    assert all_spes.median_ns == pytest.approx(5_600, rel=ABOUT)


def test_that_is_sevenfold() -> None:
    # Of puts. A blocking get of 16 KB takes 1092 ns by the paper's own 15 GB/s, of which 5.6 us are
    # five.
    alone_ns = one_spe("dmaput", MEMORY, "16k").latency_ns
    assert latencies("put")[1].median_ns / alone_ns == pytest.approx(7, rel=ABOUT)


@OP
@falls_short
def test_the_longest_takes_twice_the_average(op: str) -> None:
    _, all_spes = latencies(op)
    assert all_spes.max_ns == pytest.approx(13_000, rel=0.25)


@OP
def test_no_dma_to_a_hot_spot_waits_much_longer_than_the_others(op: str) -> None:
    # Here the turns are so regular that the longest is a single percent above the average. Nothing
    # else happens; on silicon there may be interrupts, or translations of addresses that miss.
    _, all_spes = latencies(op)
    assert all_spes.max_ns < 1.05 * all_spes.mean_ns


@OP
def test_the_latencies_of_all_spes_are_alike(op: str) -> None:
    result, all_spes = latencies(op)
    assert len(result.per_spe) == 8
    for spe in result.per_spe:
        assert spe.dma_latency is not None
        assert spe.dma_latency.mean_ns == pytest.approx(all_spes.mean_ns, rel=0.02)
        assert spe.dma_latency.median_ns == pytest.approx(all_spes.median_ns, rel=0.02)
        assert spe.dma_latency.max_ns == pytest.approx(all_spes.max_ns, rel=0.02)
