"""Levels of memory in curves of latency: are plateaus found, and named after the right caches?"""

import random

import pytest

from cellstats.host.latency_levels import Plateau, plateaus

KB, MB = 1 << 10, 1 << 20
SIZES = [size for n in range(16) for size in (4096 << n, 6144 << n)][:-1]
CACHES = {"L1": 32 * KB, "L2": 512 * KB, "L3": 16 * MB}


def curve(*levels: tuple[int, float], memory_ns: float = 90.0) -> dict[int, float]:
    """A curve with steps: each level has a size and a latency."""
    return {size: next((ns for end, ns in levels if size <= end), memory_ns) for size in SIZES}


def found(heights: dict[int, float], caches: dict[str, int]) -> list[tuple[str, int]]:
    return [(each.name, max(each.sizes_bytes)) for each in plateaus(heights, caches)]


WHOLE = curve((32 * KB, 1.2), (512 * KB, 4.0), (16 * MB, 15.0))


def test_each_level_is_found_with_its_size_and_its_latency() -> None:
    assert plateaus(WHOLE, CACHES)[1] == Plateau(
        "L2", (48 * KB, 64 * KB, 96 * KB, 128 * KB, 192 * KB, 256 * KB, 384 * KB, 512 * KB), 4.0
    )
    assert found(WHOLE, CACHES)[:3] == [("L1", 32 * KB), ("L2", 512 * KB), ("L3", 16 * MB)]
    assert found(WHOLE, CACHES)[-1][0] == "memory"


def test_points_between_two_levels_belong_to_neither() -> None:
    between = WHOLE | {384 * KB: 6.5, 512 * KB: 9.5}
    assert found(between, CACHES)[1] == ("L2", 256 * KB)


@pytest.mark.parametrize("seed", range(20))
def test_noise_and_slopes_make_no_levels(seed: int) -> None:
    chance = random.Random(seed)
    noisy = {
        size: height * chance.uniform(1.0, 1.15) * (1 + 0.02 * nth)
        for nth, (size, height) in enumerate(WHOLE.items())
    }
    noisy[chance.choice(SIZES)] *= 2.5  # an interruption
    assert [name for name, _ in found(noisy, CACHES)] == ["L1", "L2", "L3", "memory"]


def test_a_cache_of_which_neighbours_use_most_keeps_its_name() -> None:
    shared = curve((32 * KB, 1.2), (512 * KB, 4.0), (3 * MB, 15.0))
    assert found(shared, CACHES)[2] == ("L3", 3 * MB)


def test_a_cache_without_a_step_is_not_named() -> None:
    without = curve((32 * KB, 1.2), (512 * KB, 4.0))
    assert [name for name, _ in found(without, CACHES)] == ["L1", "L2", "memory"]


def test_a_step_that_no_cache_explains_has_no_name() -> None:
    more = curve((32 * KB, 1.2), (512 * KB, 4.0), (4 * MB, 14.0), (16 * MB, 35.0), memory_ns=110.0)
    names = [name for name, _ in found(more, CACHES)]
    assert names == ["L1", "L2", "", "L3", "memory"]
    assert [name for name, _ in found(WHOLE, {})] == ["", "", "", "memory"]


def test_a_curve_without_points_has_no_levels() -> None:
    assert plateaus({}, CACHES) == []
