"""Does the blade still show what jimenez2007 published of the PPE: section 4.1, and 4.2.2 of SPUs?

The figures' points are not in the paper's text, but what it says of them is. A number is held to
5 %; where a comparison is held to more or less, the test says so. From and to memory the PPE moves
less than the 128 MB of the paper; that changes less than a per cent.
"""

from functools import cache
from itertools import pairwise

import pytest

import cellstats as cs

PEAK = 33.6
EXACT = 0.05
BLADE = cs.machine("blade-2100")
SIZES = (1, 2, 4, 8, 16)
FUNCTIONS = ("load", "store", "copy")
THREADS = pytest.mark.parametrize("threads", [1, 2])
ALL = pytest.mark.parametrize("function", FUNCTIONS)
MEMORY_BYTES = 4 << 20


@cache
def rate(function: str, level: str, size: int, threads: int = 1) -> float:
    """Bandwidth in GB/s."""
    iterations = None
    if level == "memory":
        iterations = MEMORY_BYTES // size // threads // (2 if function == "copy" else 1)
    result = BLADE.measure(function, level=level, size=size, threads=threads, iterations=iterations)
    assert result.bandwidth_gb_s is not None
    return result.bandwidth_gb_s


def grows_with_size(function: str, level: str, threads: int, *, least: float) -> bool:
    """Whether each doubling of the element, up to 8 bytes, multiplies the bandwidth so much."""
    rates = [rate(function, level, size, threads) for size in SIZES[:4]]
    return all(b > least * a for a, b in pairwise(rates))


# 4.1.1, Figure 3: the L1.


@pytest.mark.parametrize(("size", "published"), [(1, 2), (2, 4), (4, 8), (8, 16.8), (16, 16.8)])
def test_loads_from_the_l1(size: int, published: float) -> None:
    # The paper rounds 2.1, 4.2 and 8.4 down.
    assert rate("load", "l1", size) == pytest.approx(published, rel=EXACT + 0.005)


@THREADS
@ALL
def test_the_l1_is_proportional_to_the_size(function: str, threads: int) -> None:
    assert grows_with_size(function, "l1", threads, least=1.95)


@THREADS
def test_stores_are_slower_than_loads(threads: int) -> None:
    # Two threads that store vectors have 13.4.
    assert all(rate("store", "l1", size, threads) < rate("load", "l1", size) for size in SIZES)


def test_stores_gain_most_from_vectors_and_two_threads() -> None:
    gain = rate("store", "l1", 16, 2) - rate("store", "l1", 8, 2)
    assert gain > rate("store", "l1", 16) - rate("store", "l1", 8)
    assert rate("load", "l1", 16, 2) == pytest.approx(rate("load", "l1", 8, 2), rel=EXACT)


def test_one_thread_copies_at_half_the_peak() -> None:
    assert rate("copy", "l1", 16) == pytest.approx(PEAK / 2, rel=EXACT)


@THREADS
def test_vectors_are_copied_significantly_faster(threads: int) -> None:
    assert rate("copy", "l1", 16, threads) > 1.25 * rate("copy", "l1", 8, threads)


@pytest.mark.parametrize("function", ["store", "copy"])
@pytest.mark.parametrize("size", SIZES)
def test_two_threads_store_and_copy_more(function: str, size: int) -> None:
    assert rate(function, "l1", size, 2) > 1.25 * rate(function, "l1", size)


@pytest.mark.parametrize("size", SIZES)
@THREADS
@ALL
def test_no_access_beats_the_link(function: str, threads: int, size: int) -> None:
    assert rate(function, "l1", size, threads) <= PEAK


# Figure 4: the L2.


@THREADS
def test_loads_from_the_l2_are_much_slower(threads: int) -> None:
    for size in (8, 16):
        assert rate("load", "l2", size, threads) < rate("load", "l1", size, threads) / 3


def test_one_thread_stores_almost_twice_what_it_loads() -> None:
    # 8.4 and 3.6 GB/s.
    assert rate("store", "l2", 16) == pytest.approx(2 * rate("load", "l2", 16), rel=0.20)


@pytest.mark.xfail(strict=True, reason="8.4 GB/s from L1 and L2: the L1 writes through")
def test_stores_to_the_l2_are_much_slower_than_to_the_l1() -> None:
    assert rate("store", "l2", 16) < 0.9 * rate("store", "l1", 16)


@pytest.mark.parametrize("size", SIZES)
@ALL
def test_two_threads_have_significantly_more_of_the_l2(function: str, size: int) -> None:
    assert rate(function, "l2", size, 2) > 1.3 * rate(function, "l2", size)


@ALL
def test_the_l2_depends_strongly_on_the_size(function: str) -> None:
    # Loads of 8 bytes gain least over those of 4, 1.24: the misses take longer than the hits.
    assert grows_with_size(function, "l2", 1, least=1.2)
    assert rate(function, "l2", 8) > 2.5 * rate(function, "l2", 1)


# Figure 5: between L1 and L2.


@pytest.mark.parametrize("size", SIZES)
@ALL
def test_more_moves_between_l1_and_l2_than_reaches_the_thread(function: str, size: int) -> None:
    assert rate(function, "l1l2", size) > rate(function, "l2", size)


@THREADS
@ALL
def test_the_peak_between_l1_and_l2_is_not_reached(function: str, threads: int) -> None:
    # Stores come nearest, with 26.9 GB/s; copies go both ways at once.
    assert rate(function, "l1l2", 8, threads) < 0.85 * PEAK


@pytest.mark.xfail(strict=True, reason="5.3 GB/s of loads, 10.3 of copies, 26.9 of stores")
def test_stores_and_copies_are_farthest_from_that_peak() -> None:
    assert rate("store", "l1l2", 8) < rate("load", "l1l2", 8)


def test_vector_loads_that_miss_are_significantly_slower() -> None:
    assert rate("load", "l1l2", 16) < 0.9 * rate("load", "l1l2", 8)


@pytest.mark.xfail(strict=True, reason="two threads hide each other's replays: 5.4 GB/s for both")
def test_vector_loads_of_two_threads_that_miss_are_slower_too() -> None:
    assert rate("load", "l1l2", 16, 2) < 0.9 * rate("load", "l1l2", 8, 2)


# 4.1.2, Figure 7: main memory.


@pytest.mark.parametrize("size", SIZES)
def test_one_thread_loads_from_memory_as_from_the_l2(size: int) -> None:
    assert rate("load", "memory", size) == pytest.approx(rate("load", "l2", size), rel=EXACT)


@pytest.mark.parametrize("size", SIZES)
def test_two_threads_load_from_memory_as_from_the_l2(size: int) -> None:
    # 4.5 and 5.4 GB/s from 4 bytes on: six lines on their way do not cover memory's latency.
    assert rate("load", "memory", size, 2) == pytest.approx(rate("load", "l2", size, 2), rel=0.18)


@THREADS
def test_stores_to_memory_are_much_slower_than_to_the_l2(threads: int) -> None:
    assert rate("store", "memory", 16, threads) < rate("store", "l2", 16, threads) / 2


@pytest.mark.parametrize("size", SIZES)
@THREADS
@ALL
def test_ppe_and_memory_stay_under_6_gb_s(function: str, threads: int, size: int) -> None:
    assert rate(function, "memory", size, threads) < 6


def test_small_dmas_are_no_better() -> None:
    result = BLADE.measure("hotspot", spes=1, size=64, iterations=4000)
    assert result.bandwidth_gb_s is not None
    assert result.bandwidth_gb_s < 6


# 4.2.2: SPUs and their local stores.


@pytest.mark.parametrize("function", ["load", "store"])
def test_an_spu_reaches_the_peak_with_16_bytes(function: str) -> None:
    result = BLADE.measure(function, level="ls")
    assert result.bandwidth_gb_s == pytest.approx(PEAK, rel=0.01)


@ALL
def test_smaller_elements_cost_an_spu_more_than_their_size(function: str) -> None:
    rates = [BLADE.measure(function, level="ls", size=size).bandwidth_gb_s for size in (8, 16)]
    assert rates[0] is not None
    assert rates[1] is not None
    assert rates[0] < rates[1] / 3
