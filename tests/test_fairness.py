"""SPEs that share a resource get equal shares of it.

The results are averages over SPEs, and would be meaningless if some SPEs starved.
"""

from typing import Any

import pytest

import cellstats as cs

PS3 = cs.machine("ps3")


def spread(function: str, **parameters: Any) -> float:
    """Ratio of the slowest SPE's latency to the fastest SPE's latency."""
    result = PS3.measure(function, **parameters)
    return result.latency_ns_max / result.latency_ns_min


@pytest.mark.parametrize("spes", range(2, 7))
def test_shared_fetchadd_starves_no_spe(spes: int) -> None:
    # Depending on their start times, three or four SPEs may settle on a pattern that favours one.
    assert spread("fetchadd", spes=spes, iterations=5_000) < (1.45 if spes in (3, 4) else 1.1)


@pytest.mark.parametrize("function", ["dmaget", "dmaput"])
@pytest.mark.parametrize("size", [16, 128, 512, 1024, 2048])
def test_shared_dma_is_fair(function: str, size: int) -> None:
    assert spread(function, spes=6, size=size, iterations=5_000 if size <= 256 else 1_000) < 1.1
